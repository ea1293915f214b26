/** Interfaces are initialized when a field is read, or when a class with their default methods is. */
public class InitInterfaces {
    static int say(String s) {
        System.out.println(s);
        return s.length();
    }

    interface Plain {
        int P = say("Plain");

        void nothing();
    }

    interface WithDefault {
        int D = say("WithDefault");

        default int twice() {
            return D * 2;
        }
    }

    interface Sub extends WithDefault {
        int S = say("Sub");
    }

    static class Impl implements Plain, Sub {
        static int own = say("Impl");

        public void nothing() {
        }
    }

    interface Constant {
        int C = 42;
        int FORCE = say("Constant");
    }

    public static void main(String[] args) {
        say("main");
        Impl i = new Impl();
        say("made");
        i.nothing();
        System.out.println(i.twice());
        System.out.println(Constant.C);
        System.out.println(Impl.P);
        System.out.println(Sub.S + Sub.D);
    }
}
