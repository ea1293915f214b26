/** A sudoku of 4 by 4 and a 9 by 9 with few gaps, by backtracking over bit masks. */
public class AlgoSudoku {
    static int tries;

    static boolean solve(int[][] g, int box) {
        int n = g.length;
        int br = -1;
        int bc = -1;
        int bm = 0;
        int fewest = n + 1;
        for (int r = 0; r < n; r++) {
            for (int c = 0; c < n; c++) {
                if (g[r][c] == 0) {
                    int mask = (1 << n + 1) - 2;
                    for (int k = 0; k < n; k++) {
                        mask &= ~(1 << g[r][k] | 1 << g[k][c] | 1 << g[r / box * box + k / box][c / box * box + k % box]);
                    }
                    if (Integer.bitCount(mask) < fewest) {
                        fewest = Integer.bitCount(mask);
                        br = r;
                        bc = c;
                        bm = mask;
                    }
                }
            }
        }
        if (br < 0) {
            return true;
        }
        for (; bm != 0; bm &= bm - 1) {
            tries++;
            g[br][bc] = Integer.numberOfTrailingZeros(bm);
            if (solve(g, box)) {
                return true;
            }
        }
        g[br][bc] = 0;
        return false;
    }

    static int[][] read(String... rows) {
        int[][] g = new int[rows.length][];
        for (int r = 0; r < g.length; r++) {
            g[r] = rows[r].chars().map(c -> c == '.' ? 0 : c - '0').toArray();
        }
        return g;
    }

    static void show(int[][] g) {
        for (int[] row : g) {
            StringBuilder sb = new StringBuilder();
            for (int v : row) {
                sb.append(v);
            }
            System.out.println(sb);
        }
    }

    public static void main(String[] args) {
        int[][] small = read("1...", "..3.", ".4..", "...2");
        System.out.println(solve(small, 2) + " " + tries);
        show(small);
        tries = 0;
        int[][] big = read("53..7....", "6..195...", ".98....6.", "8...6...3", "4..8.3..1", "7...2...6", ".6....28.", "...419..5", "....8..79");
        System.out.println(solve(big, 3) + " " + tries);
        show(big);
        int[][] bad = read("123.", "...4", "2...", "...1");
        System.out.println(solve(bad, 2));
    }
}
