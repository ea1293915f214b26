/** As v0, without the guard of the second number. */
public class Euclid {
    public static int gcd(int m, int n) {
        if (m <= 0) {
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
