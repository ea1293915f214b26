/** The greatest common divisor by subtraction; the first number loses one more than the second: a bug. */
public class Euclid {
    public static int gcd(int m, int n) {
        if (m <= 0 || n <= 0) {
            return 0;
        }
        while (m != n) {
            if (m > n) {
                m = m - n - 1;
            } else {
                n = n - m;
            }
        }
        return m;
    }
}
