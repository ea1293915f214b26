/** Static methods and fields are chosen by the static type; instance methods by the object. */
public class StaticDispatchHiding {
    static class A {
        static String s() {
            return "As";
        }

        String i() {
            return "Ai" + s() + f + p();
        }

        String f = "Af";

        private String p() {
            return "Ap";
        }

        String call(A a) {
            return "A(A)";
        }
    }

    static class B extends A {
        static String s() {
            return "Bs";
        }

        @Override
        String i() {
            return "Bi" + s() + f + super.i();
        }

        String f = "Bf";

        private String p() {
            return "Bp";
        }

        String call(B b) {
            return "B(B)";
        }

        @Override
        String call(A a) {
            return "B(A)";
        }
    }

    @SuppressWarnings("static-access")
    public static void main(String[] args) {
        A a = new B();
        B b = (B) a;
        System.out.println(a.s() + b.s() + a.f + b.f + ((A) b).f);
        System.out.println(a.i());
        System.out.println(a.call(b) + b.call(b) + b.call(a) + ((A) b).call(b) + b.call((A) b));
        a.f = "changed";
        System.out.println(b.f + ((A) b).f);
        A none = null;
        System.out.println(none.s());
        System.out.println(b.p() + ((A) b).p());
    }
}
