/** A failing initializer: ExceptionInInitializerError once, NoClassDefFoundError from then on. */
public class InitFailure {
    static class Bad {
        static int x;

        static {
            System.out.println("trying");
            x = 1;
            if (x == 1) {
                throw new IllegalStateException("no luck");
            }
        }

        static void touch() {
            System.out.println("touched");
        }
    }

    static class BadChild extends Bad {
        static {
            System.out.println("never");
        }
    }

    static class BadError {
        static int y = fail();

        static int fail() {
            throw new AssertionError("own error");
        }
    }

    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) {
            try {
                if (i == 2) {
                    new BadChild();
                } else {
                    Bad.touch();
                }
            } catch (ExceptionInInitializerError e) {
                System.out.println("first: " + e.getMessage() + " because of " + e.getCause() + " " + e.getException().getMessage());
            } catch (NoClassDefFoundError e) {
                System.out.println("later: " + e.getMessage());
            }
        }
        for (int i = 0; i < 2; i++) {
            try {
                System.out.println(BadError.y);
            } catch (AssertionError e) {
                System.out.println("error as it is: " + e.getMessage());
            } catch (NoClassDefFoundError e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
