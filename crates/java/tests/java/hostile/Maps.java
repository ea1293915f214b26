// int a -2 2, int b -2 2
final class Maps {
    static int run(int a, int b) {
        java.util.Map<Integer, Integer> m = new java.util.HashMap<>();
        m.put(a, 1); m.merge(b, 5, Integer::sum); m.computeIfAbsent(a + b, k -> k * 2);
        int r = m.size() * 1000;
        for (int v : m.values()) r += v;
        java.util.List<Integer> l = new java.util.ArrayList<>(java.util.List.of(a, b, 0));
        java.util.Collections.sort(l);
        r += l.get(0) * 3 + l.indexOf(b);
        l.removeIf(x -> x < 0);
        java.util.ArrayDeque<Integer> q = new java.util.ArrayDeque<>(l);
        while (!q.isEmpty()) r = r * 2 + q.pollLast();
        return r + l.hashCode() % 13;
    }
}
