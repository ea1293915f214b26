/** Two classes whose initializers need each other: one sees default values. */
public class InitCircular {
    static class Left {
        static final int BASE = Integer.parseInt("10");
        static int value = Right.value + 1;
        static int after = Right.seen;
    }

    static class Right {
        static int seen = Left.value;
        static int base = Left.BASE;
        static int value = Left.value + 100;
    }

    static class Self {
        static final Self INSTANCE = new Self();
        static int counter = 5;
        static final int LIMIT = 9;
        int at;

        Self() {
            at = counter + LIMIT;
            counter++;
        }
    }

    static int forward = next();
    static int source = 3;

    static int next() {
        return source + 1;
    }

    public static void main(String[] args) {
        System.out.println(Left.value + " " + Left.after + " " + Right.value + " " + Right.seen + " " + Right.base);
        System.out.println(Self.INSTANCE.at + " " + Self.counter);
        System.out.println(forward + " " + source);
    }
}
