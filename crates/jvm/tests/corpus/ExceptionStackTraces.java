/** Stack traces name methods and lines of own frames, also through constructors, lambdas and initializers. */
public class ExceptionStackTraces {
    static void show(Throwable t) {
        for (StackTraceElement e : t.getStackTrace()) {
            if (e.getClassName().startsWith("ExceptionStackTraces")) {
                System.out.print(e.getMethodName().replaceAll("lambda.*", "lambda") + ":" + e.getLineNumber() + " ");
            }
        }
        System.out.println();
    }

    static class Ctor {
        int[] data = new int[2];

        Ctor(int n) {
            data[n] = 1;
        }
    }

    static int level(int n) {
        if (n == 0) {
            return 1 / n;
        }
        return level(n - 1)
            + 1;
    }

    public static void main(String[] args) {
        try {
            level(3);
        } catch (ArithmeticException e) {
            show(e);
        }
        try {
            new Ctor(2);
        } catch (ArrayIndexOutOfBoundsException e) {
            show(e);
        }
        Exception made = new Exception("made here");
        try {
            throw made;
        } catch (Exception e) {
            show(e);
        }
        made.setStackTrace(new StackTraceElement[] {new StackTraceElement("ExceptionStackTracesFake", "fake", "F.java", 7)});
        show(made);
        System.out.println(made.getStackTrace()[0]);
    }
}
