/** Double.parseDouble and friends. */
public class NumberDoubleParse {
    public static void main(String[] args) {
        for (String s : new String[] {"0", "-0.0", "1.5", "1e3", "1E-3", ".5", "5.", "NaN", "Infinity", "-Infinity", "123456789.123456789", "4.9e-324", "1e400", "0x1p3", " 7 ", "1d", "2f"}) {
            System.out.println(s.trim() + " = " + Double.parseDouble(s));
        }
        for (String s : new String[] {"", "abc", "1e", "--1"}) {
            try {
                System.out.println(Double.parseDouble(s));
            } catch (NumberFormatException e) {
                System.out.println(e.getMessage());
            }
        }
        System.out.println(Float.parseFloat("3.4028236e38") + " " + Float.parseFloat("0.1") + " " + Float.valueOf("1e-46"));
        System.out.println(Double.valueOf("2.50").intValue() + " " + Double.MIN_VALUE + " " + Float.MAX_VALUE);
        System.out.println(Double.sum(0.1, 0.2) + " " + Double.max(1, 2) + " " + Double.isFinite(1 / 0.0));
    }
}
