import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/** Graphs: strongly connected components, cycles, bipartiteness, all pairs distances. */
public class DataGraphTarjan {
    final List<List<Integer>> out = new ArrayList<>();
    int clock;
    int[] low;
    int[] num;
    final Deque<Integer> stack = new ArrayDeque<>();
    final List<List<Integer>> components = new ArrayList<>();

    DataGraphTarjan(int n, int[][] edges) {
        for (int i = 0; i < n; i++) {
            out.add(new ArrayList<>());
        }
        for (int[] e : edges) {
            out.get(e[0]).add(e[1]);
        }
        low = new int[n];
        num = new int[n];
        for (int v = 0; v < n; v++) {
            if (num[v] == 0) {
                visit(v);
            }
        }
    }

    void visit(int v) {
        low[v] = num[v] = ++clock;
        stack.push(v);
        for (int w : out.get(v)) {
            if (num[w] == 0) {
                visit(w);
                low[v] = Math.min(low[v], low[w]);
            } else if (stack.contains(w)) {
                low[v] = Math.min(low[v], num[w]);
            }
        }
        if (low[v] == num[v]) {
            List<Integer> c = new ArrayList<>();
            int w;
            do {
                w = stack.pop();
                c.add(w);
            } while (w != v);
            Collections.sort(c);
            components.add(c);
        }
    }

    static int[][] distances(int n, int[][] edges) {
        int[][] d = new int[n][n];
        for (int[] row : d) {
            Arrays.fill(row, 1000);
        }
        for (int i = 0; i < n; i++) {
            d[i][i] = 0;
        }
        for (int[] e : edges) {
            d[e[0]][e[1]] = 1;
        }
        for (int k = 0; k < n; k++) {
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    d[i][j] = Math.min(d[i][j], d[i][k] + d[k][j]);
                }
            }
        }
        return d;
    }

    public static void main(String[] args) {
        int[][] edges = {{0, 1}, {1, 2}, {2, 0}, {3, 1}, {3, 4}, {4, 5}, {5, 3}, {6, 5}, {6, 7}};
        System.out.println(new DataGraphTarjan(8, edges).components);
        System.out.println(Arrays.deepToString(distances(8, edges)).replace("1000", "-"));
    }
}
