/** super calls that skip generations, protected members, methods made abstract again. */
public class SuperChains {
    static class A {
        protected int n = 1;

        protected String name() {
            return "A" + n;
        }

        public String toString() {
            return "<" + name() + ">";
        }
    }

    static class B extends A {
        B() {
            n += 10;
        }
    }

    static class C extends B {
        protected String name() {
            return "C(" + super.name() + ")";
        }

        String base() {
            return super.toString();
        }
    }

    abstract static class D extends C {
        protected abstract String name();

        String viaSuper() {
            return super.base();
        }
    }

    static class E extends D {
        protected String name() {
            n *= 2;
            return "E" + n;
        }

        public String toString() {
            return super.toString() + super.viaSuper() + superName();
        }

        private String superName() {
            return new Object() {
                String get() {
                    return E.super.toString() + E.this.n;
                }
            }.get();
        }
    }

    public static void main(String[] args) {
        A[] all = {new A(), new B(), new C(), new E()};
        for (A a : all) {
            System.out.println(a + " " + a.n);
        }
        System.out.println(((C) all[2]).base() + ((D) all[3]).viaSuper());
        java.util.function.Supplier<String> s = all[3]::toString;
        System.out.println(s.get());
    }
}
