/** Causes, suppressed exceptions, toString and getLocalizedMessage of own exceptions. */
public class ExceptionCauses {
    static class Quiet extends RuntimeException {
        Quiet(String m, Throwable cause) {
            super(m, cause);
        }

        Quiet(Throwable cause) {
            super(cause);
        }

        @Override
        public String getLocalizedMessage() {
            return "<<" + getMessage() + ">>";
        }
    }

    static class NoTrace extends Exception {
        NoTrace() {
            super("no trace", null, false, false);
        }
    }

    static int chain(Throwable t) {
        int n = 0;
        while (t != null) {
            System.out.println("  ".repeat(n++) + t);
            t = t.getCause();
        }
        return n;
    }

    public static void main(String[] args) {
        try {
            try {
                try {
                    Object o = null;
                    o.toString();
                } catch (NullPointerException e) {
                    throw new IllegalStateException("first", new Exception("inner"));
                }
            } catch (IllegalStateException e) {
                throw new Quiet("second", e);
            }
        } catch (Quiet q) {
            System.out.println(chain(q));
        }
        System.out.println(new Quiet(new Error("e")).getMessage());
        Exception e = new Exception();
        System.out.println(e + " " + e.getMessage() + " " + e.getCause());
        e.initCause(new Error("late"));
        System.out.println(e.getCause().getMessage());
        try {
            e.initCause(new Error("again"));
        } catch (IllegalStateException x) {
            System.out.println("only once");
        }
        e.addSuppressed(new NoTrace());
        e.addSuppressed(new RuntimeException("other"));
        System.out.println(e.getSuppressed().length + " " + e.getSuppressed()[0]);
        NoTrace n = new NoTrace();
        n.addSuppressed(e);
        System.out.println(n.getSuppressed().length + " " + n.getStackTrace().length);
        try {
            e.addSuppressed(e);
        } catch (IllegalArgumentException x) {
            System.out.println(x.getMessage());
        }
    }
}
