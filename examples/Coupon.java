/**
 * Coupon codes: the days that a coupon lasts and its value in cents, mixed up and guarded by a check digit.
 *
 * <p>Products and bit operations are beyond linear arithmetic: the core of bit vectors decides them.
 *
 * <pre>
 * evergreen explore examples/Coupon.java
 * </pre>
 */
public class Coupon {
    private static final int KEY = 0x5bd1e995;

    /** What a coupon gives on each of its days, in cents; -1 if the code is not one of ours. */
    public static int centsPerDay(int code) {
        int plain = code ^ KEY;
        int check = plain & 0xf;
        int days = (plain >>> 4) & 0x1f;
        int cents = plain >>> 9;
        if (check != ((days * 7 + cents) & 0xf)) {
            return -1;
        }
        if (cents > 10_000) {
            return -1;
        }
        return cents / days;
    }
}
