/** Own throwables: overridden getMessage, fillInStackTrace, errors, equality, throws in odd places. */
public class ThrowableCustom {
    static class Light extends RuntimeException {
        static int filled;
        final int code;

        Light(int code) {
            super(null, null, true, false);
            this.code = code;
        }

        @Override
        public String getMessage() {
            return "code " + code;
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            filled++;
            return this;
        }
    }

    static class Fatal extends Error {
        @Override
        public String toString() {
            return "FATAL";
        }
    }

    static class Goto extends Throwable {
        final Object value;

        Goto(Object value) {
            this.value = value;
        }
    }

    static int jump(int n) throws Goto {
        if (n == 0) {
            throw new Goto("landed");
        }
        return jump(n - 1) + 1;
    }

    static boolean guard(boolean b) {
        if (!b) {
            throw new Light(3);
        }
        return b;
    }

    static final int FIELD = guard(true) ? 1 : 2;

    public static void main(String[] args) {
        try {
            guard(false);
        } catch (Light l) {
            System.out.println(l + " " + l.getMessage() + " " + l.getStackTrace().length + " " + Light.filled);
        }
        try {
            throw new Fatal();
        } catch (Error e) {
            System.out.println(e + " " + e.getMessage());
        }
        try {
            jump(4);
        } catch (Throwable t) {
            System.out.println(t instanceof Goto g ? g.value : "no");
        }
        Light same = new Light(9);
        for (int i = 0; i < 2; i++) {
            try {
                throw same;
            } catch (Light l) {
                System.out.println((l == same) + " " + l.code);
            }
        }
        int[] a = {1};
        try {
            a[guard(false) ? 0 : 1] = 5;
        } catch (Light l) {
            System.out.println(a[0] + FIELD);
        }
        try {
            while (guard(a[0]++ < 3)) {
                continue;
            }
        } catch (Light l) {
            System.out.println(a[0]);
        }
        try {
            Object o = guard(false) ? "x" : null;
        } catch (RuntimeException e) {
            System.out.println(e.getClass().getName());
        }
    }
}
