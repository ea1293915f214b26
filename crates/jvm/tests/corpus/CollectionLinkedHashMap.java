/** LinkedHashMap: insertion order, access order, eviction. */
public class CollectionLinkedHashMap {
    static class Lru<K, V> extends java.util.LinkedHashMap<K, V> {
        final int most;

        Lru(int most) {
            super(16, 0.75f, true);
            this.most = most;
        }

        @Override
        protected boolean removeEldestEntry(java.util.Map.Entry<K, V> eldest) {
            return size() > most;
        }
    }

    public static void main(String[] args) {
        java.util.LinkedHashMap<String, Integer> m = new java.util.LinkedHashMap<>();
        m.put("z", 1);
        m.put("a", 2);
        m.put("m", 3);
        m.put("z", 4);
        m.remove("a");
        m.put("a", 5);
        System.out.println(m + " " + m.keySet() + " " + m.values());
        Lru<Integer, String> lru = new Lru<>(3);
        for (int i = 0; i < 5; i++) {
            lru.put(i, "v" + i);
            lru.get(2);
        }
        System.out.println(lru);
        lru.putIfAbsent(3, "x");
        lru.getOrDefault(2, "");
        lru.put(9, "nine");
        System.out.println(lru + " " + lru.containsKey(4));
        java.util.Iterator<java.util.Map.Entry<String, Integer>> it = m.entrySet().iterator();
        it.next();
        it.remove();
        m.forEach((k, v) -> System.out.print(k + "=" + v + ";"));
        System.out.println();
        m.replaceAll((k, v) -> v * k.length());
        System.out.println(m + " " + m.equals(java.util.Map.of("m", 3, "a", 5)));
    }
}
