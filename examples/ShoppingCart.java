/** The price of an order with a discount for many pieces; one step of the discount table is missing. */
public class ShoppingCart {
    private static final int[] PERCENT_OFF = {0, 5, 10, 20};

    /** The price in cents of {@code pieces} at {@code cents} each; 0 for an order that we do not take. */
    public static int total(int pieces, int cents) {
        if (pieces < 0 || pieces > 100 || cents < 0 || cents > 100_000) {
            return 0;
        }
        int price = pieces * cents;
        return price - price / 100 * PERCENT_OFF[pieces / 25];
    }
}
