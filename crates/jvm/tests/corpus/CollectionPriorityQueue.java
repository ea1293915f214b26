/** PriorityQueue with natural order and comparators. */
public class CollectionPriorityQueue {
    record Task(String name, int priority) { }

    public static void main(String[] args) {
        java.util.PriorityQueue<Integer> q = new java.util.PriorityQueue<>();
        int seed = 7;
        for (int i = 0; i < 15; i++) {
            seed = (seed * 75 + 74) % 65537;
            q.add(seed % 100);
        }
        System.out.println(q.peek() + " " + q.size() + " " + q);
        q.remove(q.peek());
        StringBuilder sb = new StringBuilder();
        while (!q.isEmpty()) {
            sb.append(q.poll()).append(' ');
        }
        System.out.println(sb);
        java.util.PriorityQueue<Task> tasks = new java.util.PriorityQueue<>((a, b) -> b.priority() - a.priority());
        tasks.offer(new Task("low", 1));
        tasks.offer(new Task("high", 9));
        tasks.offer(new Task("mid", 5));
        for (Task t; (t = tasks.poll()) != null; ) {
            System.out.print(t.name() + " ");
        }
        System.out.println();
        java.util.PriorityQueue<String> words = new java.util.PriorityQueue<>(java.util.List.of("d", "a", "c", "b"));
        System.out.println(words.contains("c") + " " + words.remove("a") + " " + words.peek());
        int[] dist = {0, 1000, 1000, 1000, 1000};
        int[][] edges = {{0, 1, 4}, {0, 2, 1}, {2, 1, 2}, {1, 3, 5}, {2, 3, 8}, {3, 4, 3}};
        java.util.PriorityQueue<int[]> open = new java.util.PriorityQueue<>(java.util.Comparator.comparingInt(x -> x[1]));
        open.add(new int[] {0, 0});
        while (!open.isEmpty()) {
            int[] at = open.poll();
            for (int[] e : edges) {
                if (e[0] == at[0] && at[1] + e[2] < dist[e[1]]) {
                    dist[e[1]] = at[1] + e[2];
                    open.add(new int[] {e[1], dist[e[1]]});
                }
            }
        }
        System.out.println(dist[1] + " " + dist[2] + " " + dist[3] + " " + dist[4]);
    }
}
