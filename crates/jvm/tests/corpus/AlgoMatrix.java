/** Matrices: multiplication, powers, determinant by elimination on fractions of longs, transposition. */
public class AlgoMatrix {
    static long[][] times(long[][] a, long[][] b) {
        long[][] c = new long[a.length][b[0].length];
        for (int i = 0; i < a.length; i++) {
            for (int j = 0; j < b[0].length; j++) {
                for (int k = 0; k < b.length; k++) {
                    c[i][j] += a[i][k] * b[k][j];
                }
            }
        }
        return c;
    }

    static long[][] power(long[][] m, int n) {
        long[][] r = new long[m.length][m.length];
        for (int i = 0; i < m.length; i++) {
            r[i][i] = 1;
        }
        for (; n > 0; n >>= 1) {
            if ((n & 1) == 1) {
                r = times(r, m);
            }
            m = times(m, m);
        }
        return r;
    }

    static long det(long[][] m) {
        if (m.length == 1) {
            return m[0][0];
        }
        long d = 0;
        for (int c = 0; c < m.length; c++) {
            long[][] minor = new long[m.length - 1][];
            for (int r = 1; r < m.length; r++) {
                minor[r - 1] = new long[m.length - 1];
                for (int k = 0, t = 0; k < m.length; k++) {
                    if (k != c) {
                        minor[r - 1][t++] = m[r][k];
                    }
                }
            }
            d += (c % 2 == 0 ? 1 : -1) * m[0][c] * det(minor);
        }
        return d;
    }

    static double solve(double[][] a) {
        int n = a.length;
        for (int p = 0; p < n; p++) {
            for (int r = p + 1; r < n; r++) {
                double f = a[r][p] / a[p][p];
                for (int c = p; c <= n; c++) {
                    a[r][c] -= f * a[p][c];
                }
            }
        }
        double sum = 0;
        double[] x = new double[n];
        for (int r = n - 1; r >= 0; r--) {
            double v = a[r][n];
            for (int c = r + 1; c < n; c++) {
                v -= a[r][c] * x[c];
            }
            x[r] = v / a[r][r];
            sum += x[r];
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(power(new long[][] {{1, 1}, {1, 0}}, 90)[0][1]);
        System.out.println(det(new long[][] {{2, 0, 1, 3}, {1, -1, 4, 0}, {5, 2, 2, 1}, {0, 3, 1, 1}}));
        System.out.println(solve(new double[][] {{2, 1, -1, 8}, {-3, -1, 2, -11}, {-2, 1, 2, -3}}));
        try {
            times(new long[1][2], new long[3][1]);
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
