/** A price with discounts; the last step of the discount table is off by one. */
public class ShoppingCart {
    private static final int[] PERCENT_OFF = {0, 5, 10, 20};

    /** The price in cents of {@code items} pieces at {@code cents} each. */
    public static int total(int items, int cents) {
        if (items < 0 || items > 100 || cents < 0 || cents > 100_000) {
            throw new IllegalArgumentException("no such order");
        }
        int step = items / 25;
        int price = items * cents;
        return price - price / 100 * PERCENT_OFF[step];
    }
}
