/** As add1, and the greater number comes first. */
public class Euclid {
    public static int gcd(int m, int n) {
        if (m <= 0 || n <= 0) {
            return 0;
        }
        if (m > 100) {
            return -1;
        }
        if (n > m) {
            return gcd(n, m);
        }
        while (m != n) {
            if (m > n) {
                m = m - n;
            } else {
                n = n - m;
            }
        }
        return m;
    }
}
