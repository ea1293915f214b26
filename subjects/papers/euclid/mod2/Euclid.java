/** The greatest common divisor by subtraction; the lesser number is asked for first. */
public class Euclid {
    public static int gcd(int m, int n) {
        if (m <= 0 || n <= 0) {
            return 0;
        }
        while (m != n) {
            if (m < n) {
                n = n - m;
            } else {
                m = m - n;
            }
        }
        return m;
    }
}
