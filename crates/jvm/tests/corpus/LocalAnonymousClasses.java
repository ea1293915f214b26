/** Local and anonymous classes with captured locals and parameters. */
public class LocalAnonymousClasses {
    interface Counter {
        int next();
    }

    abstract static class Greeter {
        final String who;

        Greeter(String who) {
            this.who = who;
            System.out.println("made for " + who);
        }

        abstract String greet();
    }

    static Counter from(int start, int step) {
        class Stepper implements Counter {
            int at = start;

            public int next() {
                int r = at;
                at += step;
                return r;
            }
        }

        return new Stepper();
    }

    int base = 100;

    Counter own() {
        final int[] box = {0};
        return new Counter() {
            int calls;

            {
                calls = 10;
            }

            @Override
            public int next() {
                return base + box[0]++ + calls++;
            }
        };
    }

    public static void main(String[] args) {
        Counter a = from(5, 3);
        Counter b = from(0, -1);
        System.out.println(a.next() + " " + a.next() + " " + b.next() + " " + b.next() + " " + a.next());
        LocalAnonymousClasses o = new LocalAnonymousClasses();
        Counter c = o.own();
        System.out.println(c.next());
        o.base = 0;
        System.out.println(c.next());
        String word = "hi";
        long big = 1L << 33;
        Greeter g = new Greeter("you") {
            @Override
            String greet() {
                return word + " " + who + " " + big;
            }
        };
        System.out.println(g.greet());
        System.out.println(g.getClass().getName() + " " + g.getClass().isAnonymousClass() + " [" + g.getClass().getSimpleName() + "]");
        for (int i = 0; i < 2; i++) {
            int square = i * i + 3;
            Object s = new Object() {
                @Override
                public String toString() {
                    return "square" + square;
                }
            };
            System.out.println(s);
        }
        var anon = new Object() {
            int hidden = 4;
        };
        System.out.println(++anon.hidden);
    }
}
