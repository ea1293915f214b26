import java.math.BigDecimal;
import java.math.RoundingMode;

/** BigDecimal: scale, rounding, comparison against equality. */
public class BigDecimals {
    public static void main(String[] args) {
        BigDecimal a = new BigDecimal("10.25");
        BigDecimal b = new BigDecimal("-3.1");
        System.out.println(a.add(b) + " " + a.subtract(b) + " " + a.multiply(b) + " " + a.scale() + b.precision());
        System.out.println(a.divide(b, 5, RoundingMode.HALF_UP) + " " + a.setScale(1, RoundingMode.HALF_EVEN) + " " + b.setScale(0, RoundingMode.FLOOR) + " " + b.negate() + b.abs());
        System.out.println(new BigDecimal("2.0").equals(new BigDecimal("2.00")) + " " + new BigDecimal("2.0").compareTo(new BigDecimal("2.00")) + " " + new BigDecimal("2.500").stripTrailingZeros());
        System.out.println(BigDecimal.valueOf(125, 2) + " " + new BigDecimal("1E+3").toPlainString() + " " + new BigDecimal("0.0000001") + " " + a.intValue() + " " + a.doubleValue());
        for (RoundingMode m : RoundingMode.values()) {
            if (m != RoundingMode.UNNECESSARY) {
                System.out.print(new BigDecimal("2.5").setScale(0, m) + "" + new BigDecimal("-1.5").setScale(0, m) + " ");
            }
        }
        System.out.println();
        try {
            BigDecimal.ONE.divide(new BigDecimal(3));
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        BigDecimal sum = BigDecimal.ZERO;
        for (int i = 0; i < 10; i++) {
            sum = sum.add(new BigDecimal("0.1"));
        }
        System.out.println(sum.equals(new BigDecimal("1.0")) + " " + sum + " " + sum.pow(3) + " " + a.max(b) + a.remainder(new BigDecimal("3")));
    }
}
