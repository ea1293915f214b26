/** As v0, with other names of the parameters. */
public class Euclid {
    public static int gcd(int left, int right) {
        if (left <= 0 || right <= 0) {
            return 0;
        }
        while (left != right) {
            if (left > right) {
                left = left - right;
            } else {
                right = right - left;
            }
        }
        return left;
    }
}
