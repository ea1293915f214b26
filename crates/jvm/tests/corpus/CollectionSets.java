/** HashSet, LinkedHashSet, TreeSet: algebra and order. */
public class CollectionSets {
    public static void main(String[] args) {
        java.util.Set<Integer> a = new java.util.HashSet<>(java.util.Arrays.asList(5, 1, 4, 1, 3));
        java.util.Set<Integer> b = new java.util.LinkedHashSet<>(java.util.List.of(9, 4, 5, 0));
        System.out.println(a + " " + b + " " + a.add(1) + " " + a.add(2) + " " + a.remove(7));
        java.util.Set<Integer> both = new java.util.TreeSet<>(a);
        both.retainAll(b);
        java.util.Set<Integer> either = new java.util.TreeSet<>(java.util.Collections.reverseOrder());
        either.addAll(a);
        either.addAll(b);
        java.util.Set<Integer> minus = new java.util.LinkedHashSet<>(b);
        minus.removeAll(a);
        System.out.println(both + " " + either + " " + minus + " " + a.containsAll(both));
        java.util.TreeSet<String> words = new java.util.TreeSet<>();
        for (String w : "to be or not to be that is the question".split(" ")) {
            System.out.print(words.add(w) ? "+" : "-");
        }
        System.out.println(words + " " + words.first() + " " + words.ceiling("p") + " " + words.headSet("not", true) + " " + words.descendingSet());
        System.out.println(words.pollFirst() + words.pollLast() + words.size());
        System.out.println(a.equals(new java.util.TreeSet<>(a)) + " " + a.hashCode() + " " + words.contains("be"));
        java.util.Set<Object> mixed = new java.util.HashSet<>();
        mixed.add(null);
        mixed.add("");
        mixed.add(0);
        mixed.add(0L);
        System.out.println(mixed.size() + " " + mixed.contains(null) + " " + mixed.contains((short) 0));
        int n = 0;
        for (java.util.Iterator<Integer> it = a.iterator(); it.hasNext(); ) {
            if (it.next() % 2 == 1) {
                it.remove();
                n++;
            }
        }
        System.out.println(n + " " + a);
    }
}
