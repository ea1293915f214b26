/** HashMap: collisions, resize, null key, compute family, views. */
public class CollectionHashMap {
    static class Clash {
        final int id;

        Clash(int id) {
            this.id = id;
        }

        @Override
        public int hashCode() {
            return id % 2;
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof Clash && ((Clash) o).id == id;
        }
    }

    public static void main(String[] args) {
        java.util.HashMap<String, Integer> m = new java.util.HashMap<>();
        for (String w : "the quick brown fox jumps over the lazy dog the end".split(" ")) {
            m.merge(w, 1, Integer::sum);
        }
        System.out.println(m);
        System.out.println(m.get("the") + " " + m.get("cat") + " " + m.getOrDefault("cat", -1) + " " + m.containsValue(3));
        System.out.println(m.put("fox", 10) + " " + m.putIfAbsent("fox", 11) + " " + m.putIfAbsent("cat", 12) + " " + m.remove("dog") + " " + m.remove("dog"));
        System.out.println(m.computeIfAbsent("new", String::length) + " " + m.computeIfPresent("fox", (k, v) -> null) + " " + m.compute("the", (k, v) -> v == null ? 1 : v * 100));
        m.put(null, 5);
        System.out.println(m.get(null) + " " + m.size() + " " + m.containsKey(null));
        java.util.HashMap<Integer, Integer> squares = new java.util.HashMap<>();
        for (int i = 0; i < 100; i++) {
            squares.put(i * 7, i * i);
        }
        int sum = 0;
        for (java.util.Map.Entry<Integer, Integer> e : squares.entrySet()) {
            sum = sum * 31 + e.getKey() - e.getValue();
        }
        System.out.println(sum + " " + squares.keySet().size() + " " + squares.values().contains(81));
        java.util.HashMap<Clash, Integer> clash = new java.util.HashMap<>();
        for (int i = 0; i < 40; i++) {
            clash.put(new Clash(i), i);
        }
        for (int i = 0; i < 40; i += 3) {
            clash.remove(new Clash(i));
        }
        System.out.println(clash.size() + " " + clash.get(new Clash(37)) + " " + clash.get(new Clash(39)));
        m.keySet().removeIf(k -> k != null && k.length() > 3);
        m.entrySet().forEach(e -> e.setValue(e.getValue() + 1));
        System.out.println(m + " " + m.hashCode());
        System.out.println(m.equals(new java.util.HashMap<>(m)));
    }
}
