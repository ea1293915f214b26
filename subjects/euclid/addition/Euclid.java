/** As v0, but a divisor above 1000000 is returned with the other sign. */
public class Euclid {
    public static int gcd(int m, int n) {
        if (m <= 0 || n <= 0) {
            return 0;
        }
        while (m != n) {
            if (m > n) {
                m = m - n;
            } else {
                n = n - m;
            }
        }
        if (m > 1000000) {
            return -m;
        }
        return m;
    }
}
