/** Order of static and instance initialization along a class hierarchy. */
public class InitOrderClasses {
    static int say(String s) {
        System.out.println(s);
        return s.length();
    }

    static class A {
        static int sa = say("A static");
        int ia = say("A instance");

        static {
            say("A block");
        }

        A() {
            say("A constructor");
            hook();
        }

        void hook() {
            say("A hook");
        }
    }

    static class B extends A {
        static int sb = say("B static");
        int ib = say("B instance field");
        int late = 7;

        {
            say("B instance block");
        }

        B() {
            this(1);
            say("B constructor");
        }

        B(int x) {
            say("B(int)");
        }

        @Override
        void hook() {
            say("B hook sees " + ib + "," + late);
        }
    }

    public static void main(String[] args) {
        say("main");
        new B();
        say("--");
        new B(2);
        say("--");
        new A();
        System.out.println(A.sa + B.sb);
    }
}
