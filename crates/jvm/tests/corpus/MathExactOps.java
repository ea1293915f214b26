/** The exact family throws where plain operators wrap. */
public class MathExactOps {
    interface Op {
        long run();
    }

    static void go(String name, Op op) {
        try {
            System.out.println(name + " " + op.run());
        } catch (ArithmeticException e) {
            System.out.println(name + ": " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        int[] edge = {0, 1, -1, 46340, 46341, Integer.MAX_VALUE, Integer.MIN_VALUE};
        for (int a : edge) {
            for (int b : new int[] {1, -1, 46341, Integer.MIN_VALUE}) {
                go("add", () -> Math.addExact(a, b));
                go("sub", () -> Math.subtractExact(a, b));
                go("mul", () -> Math.multiplyExact(a, b));
            }
        }
        go("addL", () -> Math.addExact(Long.MAX_VALUE, 1L));
        go("subL", () -> Math.subtractExact(Long.MIN_VALUE, 1L));
        go("mulL", () -> Math.multiplyExact(3037000500L, 3037000500L));
        go("inc", () -> Math.incrementExact(Integer.MAX_VALUE));
        go("dec", () -> Math.decrementExact(Integer.MIN_VALUE));
        go("neg", () -> Math.negateExact(Long.MIN_VALUE));
        go("int", () -> Math.toIntExact(-2147483648L));
        go("abs", () -> Math.absExact(Integer.MIN_VALUE));
    }
}
