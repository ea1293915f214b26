/** The greatest common divisor by subtraction; a first number above 100 is refused. */
public class Euclid {
    public static int gcd(int m, int n) {
        if (m <= 0 || n <= 0) {
            return 0;
        }
        if (m > 100) {
            return -1;
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
