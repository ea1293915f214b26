/** Deep hierarchies: which method each class inherits, through classes and interfaces. */
public class PolymorphismTables {
    interface I {
        default String who() {
            return "I";
        }
    }

    interface J extends I {
        default String who() {
            return "J" + I.super.who();
        }
    }

    interface K extends I { }

    static class A implements I { }

    static class B extends A implements J { }

    static class C extends B implements K {
        @Override
        public String who() {
            return "C" + super.who();
        }
    }

    static class D extends C { }

    static class E extends D implements J {
        String other() {
            return super.who() + "/" + who();
        }
    }

    static class P {
        protected Object make(Number n) {
            return "P" + n;
        }

        Object call() {
            return make(1);
        }
    }

    static class Q extends P {
        @Override
        protected String make(Number n) {
            return "Q" + super.make(n);
        }

        protected Object make(Integer n) {
            return "overload";
        }
    }

    public static void main(String[] args) {
        I[] all = {new A(), new B(), new C(), new D(), new E(), new J() { }, new K() { }};
        for (I i : all) {
            System.out.print(i.who() + " ");
        }
        System.out.println();
        System.out.println(((E) all[4]).other());
        System.out.println(new Q().call() + " " + new Q().make(1) + " " + ((P) new Q()).make(2.5));
        System.out.println((all[1] instanceof J) + " " + (all[0] instanceof J) + " " + (all[4] instanceof K));
        int js = 0;
        for (I i : all) {
            if (i instanceof J j && j.who().startsWith("C")) {
                js++;
            }
        }
        System.out.println(js);
    }
}
