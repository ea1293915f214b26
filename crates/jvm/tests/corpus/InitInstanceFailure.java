/** Exceptions from field initializers and constructors leave objects half made. */
public class InitInstanceFailure {
    static InitInstanceFailure leaked;
    int a = 1;
    int b;
    int c;

    {
        leaked = this;
        b = 2;
    }

    InitInstanceFailure(int x) {
        c = 10 / x;
    }

    static class Strict extends InitInstanceFailure {
        final String name;

        Strict(String name, int x) {
            super(x);
            this.name = name.toUpperCase();
        }
    }

    static class Chain {
        Chain next;
        final int depth;

        Chain(int depth) {
            this.depth = depth;
            if (depth > 3) {
                throw new IllegalStateException("too deep: " + depth);
            }
            next = depth < 3 ? new Chain(depth + 1) : null;
        }
    }

    public static void main(String[] args) {
        try {
            new InitInstanceFailure(0);
        } catch (ArithmeticException e) {
            System.out.println("leaked " + leaked.a + leaked.b + leaked.c);
        }
        try {
            new Strict(null, 5);
        } catch (NullPointerException e) {
            System.out.println("half made " + leaked.c + " " + ((Strict) leaked).name);
        }
        System.out.println(new Strict("ok", 2).name + leaked.c);
        int n = 0;
        for (Chain c = new Chain(0); c != null; c = c.next) {
            n += c.depth;
        }
        System.out.println(n);
        try {
            new Chain(4);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
