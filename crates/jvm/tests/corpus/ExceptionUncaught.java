/** An uncaught exception ends the program: exit code 1, the trace goes to stderr. */
public class ExceptionUncaught {
    static class Broken extends RuntimeException {
        Broken(String message) {
            super(message);
        }
    }

    static void deep(int n) {
        if (n == 0) {
            throw new Broken("at the bottom");
        }
        try {
            deep(n - 1);
        } finally {
            System.out.println("leaving " + n);
        }
    }

    public static void main(String[] args) {
        System.out.println("start");
        deep(3);
        System.out.println("not printed");
    }
}
