/** Static initializers that call methods, throw and catch, fill arrays, and see each other in text order. */
public class InitStaticNestedOrder {
    static StringBuilder log = new StringBuilder();
    static final int[] SQUARES = new int[5];
    static int early = late();
    static int value = 7;

    static {
        log.append("block ");
        for (int i = 0; i < SQUARES.length; i++) {
            SQUARES[i] = i * i;
        }
        try {
            SQUARES[5] = 1;
        } catch (ArrayIndexOutOfBoundsException e) {
            log.append("caught ");
        }
    }

    static int late() {
        log.append("late").append(value).append(' ');
        return value + 1;
    }

    static class Counter {
        static int count;
        final int id = ++count;

        static Counter a = new Counter();
        static Counter b = new Counter();

        static {
            count = 100;
        }

        static Counter c = new Counter();
    }

    interface Names {
        String[] ALL = make();

        static String[] make() {
            log.append("names ");
            return new String[] {"x", "y"};
        }
    }

    static class Uses implements Names {
        static {
            log.append("uses ");
        }

        static int n = ALL.length;
    }

    static class Generic<T> {
        static int shared;
        T t;

        Generic(T t) {
            this.t = t;
            shared++;
        }
    }

    public static void main(String[] args) {
        System.out.println(early + " " + value + " " + SQUARES[4]);
        System.out.println(Counter.a.id + " " + Counter.b.id + " " + Counter.c.id + " " + Counter.count);
        System.out.println(Uses.n + " " + Names.ALL[1]);
        new Generic<>("a");
        new Generic<>(1);
        System.out.println(Generic.shared);
        System.out.println(log);
    }
}
