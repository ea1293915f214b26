/** The greatest common divisor by subtraction; numbers below 2 are not allowed. */
public class Euclid {
    public static int gcd(int m, int n) {
        if (m <= 1 || n <= 1) {
            return 0;
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
