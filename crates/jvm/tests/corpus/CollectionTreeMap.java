/** TreeMap: order, navigation, views, comparator. */
public class CollectionTreeMap {
    public static void main(String[] args) {
        java.util.TreeMap<Integer, String> t = new java.util.TreeMap<>();
        for (int i = 0; i < 20; i++) {
            t.put(i * 7 % 20, "v" + i);
        }
        System.out.println(t);
        for (int i = 0; i < 20; i += 3) {
            t.remove(i);
        }
        System.out.println(t.keySet() + " " + t.size());
        System.out.println(t.firstKey() + " " + t.lastEntry() + " " + t.floorKey(6) + " " + t.ceilingKey(6) + " " + t.lowerKey(1) + " " + t.higherKey(19) + " " + t.higherEntry(7));
        System.out.println(t.headMap(5) + " " + t.tailMap(16, false) + " " + t.subMap(4, 9) + " " + t.descendingKeySet());
        System.out.println(t.pollFirstEntry() + " " + t.pollLastEntry() + " " + t.containsKey(1) + " " + t.get(2));
        t.headMap(10).clear();
        System.out.println(t);
        java.util.TreeMap<String, Integer> byLength = new java.util.TreeMap<>(java.util.Comparator.comparing(String::length).thenComparing(java.util.Comparator.reverseOrder()));
        for (String s : new String[] {"pear", "fig", "apple", "kiwi", "date", "plum", "nut"}) {
            byLength.put(s, s.length());
        }
        System.out.println(byLength);
        try {
            t.put(null, "x");
        } catch (NullPointerException e) {
            System.out.println("no null keys");
        }
        try {
            new java.util.TreeMap<Object, Object>().put(new Object(), 1);
        } catch (ClassCastException e) {
            System.out.println("not comparable");
        }
        try {
            new java.util.TreeMap<String, String>().firstKey();
        } catch (java.util.NoSuchElementException e) {
            System.out.println("empty");
        }
    }
}
