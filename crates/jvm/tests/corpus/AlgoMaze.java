import java.util.ArrayDeque;
import java.util.Arrays;

/** Breadth first search in a maze, flood fill, islands. */
public class AlgoMaze {
    static final int[][] STEPS = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};

    static int shortest(String[] maze) {
        int h = maze.length;
        int w = maze[0].length();
        int[][] dist = new int[h][w];
        for (int[] row : dist) {
            Arrays.fill(row, -1);
        }
        ArrayDeque<int[]> open = new ArrayDeque<>();
        for (int r = 0; r < h; r++) {
            int c = maze[r].indexOf('S');
            if (c >= 0) {
                open.add(new int[] {r, c});
                dist[r][c] = 0;
            }
        }
        while (!open.isEmpty()) {
            int[] at = open.remove();
            if (maze[at[0]].charAt(at[1]) == 'E') {
                return dist[at[0]][at[1]];
            }
            for (int[] s : STEPS) {
                int r = at[0] + s[0];
                int c = at[1] + s[1];
                if (r >= 0 && r < h && c >= 0 && c < w && maze[r].charAt(c) != '#' && dist[r][c] < 0) {
                    dist[r][c] = dist[at[0]][at[1]] + 1;
                    open.add(new int[] {r, c});
                }
            }
        }
        return -1;
    }

    static int islands(char[][] m) {
        int n = 0;
        for (int r = 0; r < m.length; r++) {
            for (int c = 0; c < m[r].length; c++) {
                if (m[r][c] == '1') {
                    n++;
                    sink(m, r, c);
                }
            }
        }
        return n;
    }

    static void sink(char[][] m, int r, int c) {
        try {
            if (m[r][c] != '1') {
                return;
            }
            m[r][c] = '0';
            for (int[] s : STEPS) {
                sink(m, r + s[0], c + s[1]);
            }
        } catch (ArrayIndexOutOfBoundsException e) {
            return;
        }
    }

    public static void main(String[] args) {
        System.out.println(shortest(new String[] {"S.#.....", "..#.###.", "#...#...", "..#...#E"}));
        System.out.println(shortest(new String[] {"S#E"}));
        System.out.println(islands(new char[][] {"11001".toCharArray(), "10010".toCharArray(), "00110".toCharArray(), "1".toCharArray()}));
    }
}
