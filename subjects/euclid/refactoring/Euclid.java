/** As v0, with the loop's exit inside it. */
public class Euclid {
    public static int gcd(int m, int n) {
        if (m <= 0 || n <= 0) {
            return 0;
        }
        while (true) {
            if (m == n) {
                return m;
            }
            if (m > n) {
                m = m - n;
            } else {
                n = n - m;
            }
        }
    }
}
