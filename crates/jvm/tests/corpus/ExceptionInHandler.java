/** Exceptions thrown inside catch and finally, and out of constructors. */
public class ExceptionInHandler {
    static class Picky {
        static int made;
        final int value;

        Picky(int v) {
            made++;
            if (v < 0) {
                throw new IllegalArgumentException("negative " + v);
            }
            value = v;
        }
    }

    static void both() {
        try {
            throw new RuntimeException("first");
        } catch (RuntimeException e) {
            throw new IllegalStateException("from catch of " + e.getMessage());
        } finally {
            System.out.println("finally runs");
        }
    }

    static void replaced() {
        try {
            throw new RuntimeException("first");
        } finally {
            int[] a = new int[1];
            a[1] = 2;
        }
    }

    public static void main(String[] args) {
        try {
            both();
        } catch (RuntimeException e) {
            System.out.println(e.getMessage());
        }
        try {
            replaced();
        } catch (RuntimeException e) {
            System.out.println(e.getMessage());
        }
        Picky p = null;
        for (int v = 1; v >= -1; v--) {
            try {
                p = new Picky(v);
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage() + " keeps " + p.value);
            }
        }
        System.out.println(Picky.made);
        int depth = 0;
        for (; ; ) {
            try {
                depth++;
                if (depth > 3) {
                    throw new Exception("enough");
                }
            } catch (Exception e) {
                break;
            }
        }
        System.out.println(depth);
    }
}
