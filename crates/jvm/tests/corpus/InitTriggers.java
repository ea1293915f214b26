/** What initializes a class and what does not. */
public class InitTriggers {
    static void say(String s) {
        System.out.println(s);
    }

    static class Constants {
        static final int N = 5;
        static final String S = "const" + N;
        static final Integer BOXED = 6;

        static {
            say("Constants initialized");
        }
    }

    static class Parent {
        static int x = 1;

        static {
            say("Parent initialized");
        }

        static void hello() {
            say("hello");
        }
    }

    static class Child extends Parent {
        static int y = 2;

        static {
            say("Child initialized");
        }
    }

    static class Element {
        static {
            say("Element initialized");
        }
    }

    static class Lazy {
        static final Lazy ONE = new Lazy();

        static {
            say("Lazy initialized");
        }
    }

    public static void main(String[] args) {
        say(Constants.N + Constants.S);
        say("" + Constants.BOXED);
        say("" + Child.x);
        Child.hello();
        say("" + Child.y);
        Element[] array = new Element[2];
        say("array " + array.length + " " + (array[0] instanceof Element));
        Class<?> c = Element.class;
        say(c.getSimpleName());
        Element e = null;
        say("null " + (e == null));
        new Element();
        Lazy l = args.length > 5 ? Lazy.ONE : null;
        say("lazy " + l);
        Runnable r = Lazy::new;
        say("reference made");
        r.run();
    }
}
