/** Integer division by zero throws, floating division does not. */
public class ExceptionDivideByZero {
    static void run(String what, Runnable r) {
        try {
            r.run();
            System.out.println(what + " fine");
        } catch (ArithmeticException e) {
            System.out.println(what + " " + e.getMessage() + " | " + e);
        }
    }

    static int zero;
    static long lzero;

    public static void main(String[] args) {
        run("int div", () -> System.out.println(1 / zero));
        run("int rem", () -> System.out.println(1 % zero));
        run("long div", () -> System.out.println(1L / lzero));
        run("long rem", () -> System.out.println(1L % lzero));
        run("double", () -> System.out.println(1.0 / zero));
        run("compound", () -> zero /= zero);
        run("exact", () -> Math.addExact(Integer.MAX_VALUE, 1));
        run("exact long", () -> Math.multiplyExact(Long.MAX_VALUE, 2L));
        run("to int", () -> Math.toIntExact(1L << 31));
        run("negate", () -> Math.negateExact(Integer.MIN_VALUE));
        int x = 1;
        try {
            x = 5 / zero;
        } catch (ArithmeticException e) {
            x += 10;
        }
        System.out.println(x);
    }
}
