/** Which handler catches: order, subclasses, multi-catch, rethrow. */
public class TryCatchOrder {
    static class Base extends Exception {
        Base(String m) {
            super(m);
        }
    }

    static class Derived extends Base {
        final int code;

        Derived(String m, int code) {
            super(m);
            this.code = code;
        }
    }

    static void raise(int k) throws Base {
        switch (k) {
            case 0:
                return;
            case 1:
                throw new Base("base");
            case 2:
                throw new Derived("derived", 42);
            case 3:
                throw new IllegalArgumentException("argument");
            case 4:
                throw new ArrayIndexOutOfBoundsException(4);
            case 5:
                throw new AssertionError(5);
            default:
                throw new UnsupportedOperationException();
        }
    }

    static String handle(int k) {
        try {
            raise(k);
            return "none";
        } catch (Derived d) {
            return d.getMessage() + d.code;
        } catch (Base b) {
            return b.getMessage();
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return e.getClass().getSimpleName() + ":" + e.getMessage();
        } catch (RuntimeException e) {
            return "runtime " + e.getMessage();
        } catch (Throwable t) {
            return t.toString();
        }
    }

    static void rethrow(int k) throws Base {
        try {
            raise(k);
        } catch (final Exception e) {
            System.out.print("(again) ");
            throw e;
        }
    }

    public static void main(String[] args) {
        for (int k = 0; k < 7; k++) {
            System.out.println(handle(k));
        }
        for (int k = 0; k < 4; k++) {
            try {
                rethrow(k);
                System.out.println("quiet");
            } catch (Derived d) {
                System.out.println("D " + d);
            } catch (Base b) {
                System.out.println("B " + b);
            } catch (RuntimeException r) {
                System.out.println("R " + r);
            }
        }
        try {
            try {
                raise(1);
            } catch (Derived d) {
                System.out.println("not this one");
            }
        } catch (Base b) {
            System.out.println("outer " + b.getMessage());
        }
    }
}
