/** Overload resolution at compile time against overriding at run time. */
public class ObjectOverloads {
    static class P { }

    static class Q extends P { }

    static class Base {
        String m(P p) {
            return "base P";
        }

        String m(Q q) {
            return "base Q";
        }

        String n(Object o) {
            return "object";
        }

        String n(String s) {
            return "string";
        }

        String v(int... xs) {
            return "varargs " + xs.length;
        }

        String v(int a, int b) {
            return "two";
        }

        String w(long x) {
            return "long";
        }

        String w(Integer x) {
            return "Integer";
        }
    }

    static class Sub extends Base {
        @Override
        String m(P p) {
            return "sub P";
        }

        String n(Integer i) {
            return "integer";
        }
    }

    public static void main(String[] args) {
        Base b = new Sub();
        P p = new Q();
        System.out.println(b.m(p) + ", " + b.m(new Q()) + ", " + b.m((P) new Q()));
        System.out.println(b.n(1) + ", " + new Sub().n(1) + ", " + b.n(null) + ", " + b.n((Object) "s"));
        System.out.println(b.v() + ", " + b.v(1) + ", " + b.v(1, 2) + ", " + b.v(1, 2, 3) + ", " + b.v(new int[4]));
        System.out.println(b.w(1) + ", " + b.w((Integer) 1) + ", " + b.w('c'));
    }
}
