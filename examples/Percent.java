/** A contract: what it refuses it says, and it never promised to take null. */
public class Percent {
    /** Writes a share. @throws IllegalArgumentException if it is not between 0 and 100 */
    public static int of(int n, String unit) {
        if (n < 0 || n > 100) {
            throw new IllegalArgumentException("no share: " + n);
        }
        return n * unit.length();
    }
}
