import java.util.concurrent.Callable;

/** Exceptions through lambdas, functional interfaces with throws clauses, generic throws. */
public class LambdaExceptions {
    interface Risky<T, X extends Exception> {
        T run() throws X;
    }

    static <T, X extends Exception> T retry(int times, Risky<T, X> r) throws X {
        for (int i = 1; ; i++) {
            try {
                return r.run();
            } catch (RuntimeException e) {
                if (i == times) {
                    throw e;
                }
                System.out.println("again after " + e.getMessage());
            }
        }
    }

    @SuppressWarnings("unchecked")
    static <X extends Throwable> void sneaky(Throwable t) throws X {
        throw (X) t;
    }

    public static void main(String[] args) throws Exception {
        int[] n = {0};
        System.out.println(retry(5, () -> {
            if (++n[0] < 3) {
                throw new IllegalStateException("try " + n[0]);
            }
            return "done " + n[0];
        }));
        try {
            retry(2, () -> {
                throw new java.io.IOException("checked");
            });
        } catch (java.io.IOException e) {
            System.out.println(e.getMessage());
        }
        try {
            LambdaExceptions.<RuntimeException>sneaky(new Exception("sneaked"));
        } catch (Exception e) {
            System.out.println(e);
        }
        Callable<Integer> c = () -> 1 / (n[0] - 3);
        try {
            c.call();
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        Runnable r = () -> {
            try {
                throw new Error("in");
            } finally {
                n[0] = 100;
            }
        };
        try {
            r.run();
        } catch (Error e) {
            System.out.println(e.getMessage() + n[0]);
        }
    }
}
