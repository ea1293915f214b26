/**
 * A PIN check that stops at the first wrong digit: its answer reveals how many digits were right.
 *
 * <pre>
 * evergreen explore examples/Login.java --range pin=0..9999 --secret pin --concrete guess=1234
 * </pre>
 */
public class Login {
    /** The number of leading digits of the guess that are right; 4 is a match. */
    public static int check(int pin, int guess) {
        int right = 0;
        for (int digit = 1000; digit > 0 && pin / digit % 10 == guess / digit % 10; digit /= 10) {
            right++;
        }
        return right;
    }
}
