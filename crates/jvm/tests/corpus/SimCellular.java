/** Elementary cellular automata, Langton's ant, a linear feedback register. */
public class SimCellular {
    static String step(String row, int rule) {
        StringBuilder sb = new StringBuilder();
        int n = row.length();
        for (int i = 0; i < n; i++) {
            int k = (row.charAt((i + n - 1) % n) == '#' ? 4 : 0) | (row.charAt(i) == '#' ? 2 : 0) | (row.charAt((i + 1) % n) == '#' ? 1 : 0);
            sb.append((rule >> k & 1) == 1 ? '#' : '.');
        }
        return sb.toString();
    }

    public static void main(String[] args) {
        for (int rule : new int[] {30, 90, 110}) {
            String row = "........#........";
            for (int i = 0; i < 6; i++) {
                System.out.println(row);
                row = step(row, rule);
            }
        }
        boolean[][] grid = new boolean[11][11];
        int r = 5;
        int c = 5;
        int dir = 0;
        for (int i = 0; i < 60; i++) {
            dir = (dir + (grid[r][c] ? 3 : 1)) % 4;
            grid[r][c] ^= true;
            r += dir == 0 ? -1 : dir == 2 ? 1 : 0;
            c += dir == 1 ? 1 : dir == 3 ? -1 : 0;
        }
        int black = 0;
        for (boolean[] row : grid) {
            for (boolean b : row) {
                if (b) {
                    black++;
                }
            }
        }
        System.out.println(black + " " + r + "," + c);
        int lfsr = 0xACE1;
        int period = 0;
        do {
            int bit = (lfsr ^ lfsr >> 2 ^ lfsr >> 3 ^ lfsr >> 5) & 1;
            lfsr = lfsr >> 1 | bit << 15;
            period++;
        } while (lfsr != 0xACE1 && period < 2000);
        System.out.println(period + " " + Integer.toHexString(lfsr));
    }
}
