/** Union-find, Kruskal's tree, topological order, components, all with plain arrays. */
public class DataUnionFind {
    static int[] parent = new int[8];

    static int find(int x) {
        while (parent[x] != x) {
            x = parent[x] = parent[parent[x]];
        }
        return x;
    }

    static boolean union(int a, int b) {
        int ra = find(a);
        int rb = find(b);
        parent[ra] = rb;
        return ra != rb;
    }

    static int[] order(int n, int[][] edges) {
        int[] in = new int[n];
        for (int[] e : edges) {
            in[e[1]]++;
        }
        int[] out = new int[n];
        int done = 0;
        boolean[] used = new boolean[n];
        again:
        while (done < n) {
            for (int v = 0; v < n; v++) {
                if (!used[v] && in[v] == 0) {
                    used[v] = true;
                    out[done++] = v;
                    for (int[] e : edges) {
                        if (e[0] == v) {
                            in[e[1]]--;
                        }
                    }
                    continue again;
                }
            }
            return null;
        }
        return out;
    }

    public static void main(String[] args) {
        for (int i = 0; i < parent.length; i++) {
            parent[i] = i;
        }
        int[][] edges = {{0, 1, 7}, {1, 2, 3}, {0, 2, 5}, {3, 4, 1}, {2, 3, 9}, {5, 6, 2}, {4, 2, 4}};
        for (int i = 1; i < edges.length; i++) {
            for (int j = i; j > 0 && edges[j][2] < edges[j - 1][2]; j--) {
                int[] t = edges[j];
                edges[j] = edges[j - 1];
                edges[j - 1] = t;
            }
        }
        int weight = 0;
        for (int[] e : edges) {
            if (union(e[0], e[1])) {
                weight += e[2];
                System.out.print(e[0] + "-" + e[1] + " ");
            }
        }
        System.out.println(weight + " " + (find(0) == find(4)) + " " + (find(0) == find(7)));
        int[] o = order(5, new int[][] {{4, 0}, {0, 1}, {3, 1}, {1, 2}});
        for (int v : o) {
            System.out.print(v);
        }
        System.out.println(" " + order(2, new int[][] {{0, 1}, {1, 0}}));
    }
}
