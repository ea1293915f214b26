/** As add2, and a divisor of 1 ends the loop. */
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
            if (n == 1) {
                return 1;
            }
            if (m > n) {
                m = m - n;
            } else {
                n = n - m;
            }
        }
        return m;
    }
}
