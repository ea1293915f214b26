/** Conway's game on a small torus. */
public class AlgoGameOfLife {
    static boolean[][] step(boolean[][] g) {
        int h = g.length;
        int w = g[0].length;
        boolean[][] out = new boolean[h][w];
        for (int r = 0; r < h; r++) {
            for (int c = 0; c < w; c++) {
                int n = 0;
                for (int dr = -1; dr <= 1; dr++) {
                    for (int dc = -1; dc <= 1; dc++) {
                        if ((dr | dc) != 0 && g[(r + dr + h) % h][(c + dc + w) % w]) {
                            n++;
                        }
                    }
                }
                out[r][c] = n == 3 || n == 2 && g[r][c];
            }
        }
        return out;
    }

    public static void main(String[] args) {
        String[] start = {".#......", "..#.....", "###.....", "........", "........", "......#.", "......#.", "......#."};
        boolean[][] g = new boolean[8][8];
        for (int r = 0; r < 8; r++) {
            for (int c = 0; c < 8; c++) {
                g[r][c] = start[r].charAt(c) == '#';
            }
        }
        for (int i = 0; i < 5; i++) {
            g = step(g);
        }
        for (boolean[] row : g) {
            StringBuilder sb = new StringBuilder();
            for (boolean cell : row) {
                sb.append(cell ? '#' : '.');
            }
            System.out.println(sb);
        }
    }
}
