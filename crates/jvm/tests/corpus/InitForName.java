/** Class.forName initializes; class literals and getClass do not. */
public class InitForName {
    static class Quiet {
        static {
            System.out.println("Quiet is up");
        }

        static final int CONST = 4;
        static int plain = 5;
    }

    static class Loud {
        static {
            System.out.println("Loud is up");
        }
    }

    static class Bad {
        static int[] a = new int[-1];
    }

    static class User {
        static Quiet held;

        static {
            System.out.println("User is up");
        }
    }

    public static void main(String[] args) throws Exception {
        System.out.println(Quiet.class.getSimpleName() + Quiet.CONST + new Quiet[1].length);
        System.out.println(User.held);
        Class<?> c = Class.forName("InitForName$Loud");
        System.out.println(c == Loud.class);
        Class.forName("InitForName$Loud");
        try {
            Class.forName("InitForName$Bad");
        } catch (ExceptionInInitializerError e) {
            System.out.println(e.getCause());
        }
        try {
            System.out.println(Bad.a.length);
        } catch (NoClassDefFoundError e) {
            System.out.println(e.getMessage());
        }
        try {
            Class.forName("InitForName$None");
        } catch (ClassNotFoundException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Quiet.plain);
        System.out.println(Class.forName("[I").getSimpleName() + Class.forName("java.lang.String").getName());
    }
}
