/** Index gymnastics: spiral order, rotation, transposition in place, magic squares, diagonals. */
public class ArraySpiral {
    static String spiral(int[][] m) {
        StringBuilder sb = new StringBuilder();
        int top = 0;
        int left = 0;
        int bottom = m.length - 1;
        int right = m[0].length - 1;
        while (top <= bottom && left <= right) {
            for (int c = left; c <= right; c++) {
                sb.append(m[top][c]).append(' ');
            }
            top++;
            for (int r = top; r <= bottom; r++) {
                sb.append(m[r][right]).append(' ');
            }
            right--;
            if (top <= bottom) {
                for (int c = right; c >= left; c--) {
                    sb.append(m[bottom][c]).append(' ');
                }
                bottom--;
            }
            if (left <= right) {
                for (int r = bottom; r >= top; r--) {
                    sb.append(m[r][left]).append(' ');
                }
                left++;
            }
        }
        return sb.toString();
    }

    static void rotate(int[][] m) {
        int n = m.length;
        for (int r = 0; r < n / 2; r++) {
            for (int c = r; c < n - 1 - r; c++) {
                int t = m[r][c];
                m[r][c] = m[n - 1 - c][r];
                m[n - 1 - c][r] = m[n - 1 - r][n - 1 - c];
                m[n - 1 - r][n - 1 - c] = m[c][n - 1 - r];
                m[c][n - 1 - r] = t;
            }
        }
    }

    static int[][] magic(int n) {
        int[][] m = new int[n][n];
        for (int k = 1, r = 0, c = n / 2; k <= n * n; k++) {
            m[r][c] = k;
            int nr = (r + n - 1) % n;
            int nc = (c + 1) % n;
            if (m[nr][nc] != 0) {
                nr = (r + 1) % n;
                nc = c;
            }
            r = nr;
            c = nc;
        }
        return m;
    }

    public static void main(String[] args) {
        int[][] m = new int[4][5];
        for (int i = 0; i < 20; i++) {
            m[i / 5][i % 5] = i;
        }
        System.out.println(spiral(m));
        int[][] g = magic(5);
        System.out.println(spiral(g));
        rotate(g);
        System.out.println(spiral(g));
        int d1 = 0;
        int d2 = 0;
        for (int i = 0; i < 5; i++) {
            d1 += g[i][i];
            d2 += g[i][4 - i];
        }
        System.out.println(d1 + " " + d2 + " " + spiral(new int[][] {{1}, {2}}));
    }
}
