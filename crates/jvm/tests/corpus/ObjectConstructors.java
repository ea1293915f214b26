/** Constructors calling each other, super arguments evaluated first, fields set before the super body sees them. */
public class ObjectConstructors {
    static String trace = "";

    static int t(String s, int v) {
        trace += s + " ";
        return v;
    }

    static class Base {
        final int sum;

        Base() {
            this(t("d1", 1), t("d2", 2));
        }

        Base(int a) {
            this(a, t("one", 10));
        }

        Base(int a, int b) {
            sum = a + b;
            t("base", 0);
        }
    }

    static class Mid extends Base {
        int own = t("own", 5);

        Mid(int x) {
            super(t("arg", x));
            own += x;
        }

        Mid() {
            t("mid()", 0);
        }
    }

    static class Captures {
        final int seen;

        Captures(Base b) {
            seen = b.sum;
        }
    }

    private ObjectConstructors() {
        t("private", 0);
    }

    static ObjectConstructors single;

    static ObjectConstructors get() {
        return single == null ? single = new ObjectConstructors() : single;
    }

    public static void main(String[] args) {
        System.out.println(new Base().sum + " " + trace);
        trace = "";
        Mid m = new Mid(7);
        System.out.println(m.sum + " " + m.own + " " + trace);
        trace = "";
        System.out.println(new Mid().sum + " " + trace);
        System.out.println(new Captures(new Base(3) {
            @Override
            public String toString() {
                return "anonymous";
            }
        }).seen);
        trace = "";
        System.out.println((get() == get()) + " " + trace);
    }
}
