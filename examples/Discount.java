import java.util.function.IntUnaryOperator;

/** A price with a discount that a caller computes. */
public class Discount {
    /** What is to be paid, in cents; the discount depends on the price. */
    public static int pay(IntUnaryOperator discount, int cents) {
        int price = Math.max(cents, 0);
        int paid = price - discount.applyAsInt(price);
        assert paid >= 0 : "pays " + paid;
        return paid;
    }
}
