/** As v0, but zero is allowed on one side. */
public class Euclid {
    public static int gcd(int m, int n) {
        if (m < 0 || n < 0) {
            return 0;
        }
        if (m == 0) {
            return n;
        }
        if (n == 0) {
            return m;
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
