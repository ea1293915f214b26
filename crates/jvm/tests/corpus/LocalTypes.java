/** Enums, interfaces and records declared inside a method. */
public class LocalTypes {
    static int run(int input) {
        enum Step { UP, DOWN }

        interface Act {
            int on(int x);
        }

        record Rule(Step step, Act act) {
            static Rule of(Step s, Act a) {
                return new Rule(s, a);
            }

            int apply(int x) {
                return step == Step.UP ? act.on(x) : -act.on(x);
            }
        }

        Rule[] rules = {Rule.of(Step.UP, x -> x + 1), Rule.of(Step.DOWN, x -> x * 2), new Rule(Step.valueOf("UP"), x -> x * x)};
        for (Rule r : rules) {
            input = r.apply(input);
        }
        return input + Step.values().length;
    }

    static class Outer<T> {
        T held;

        Runnable later(T t) {
            class Setter implements Runnable {
                public void run() {
                    held = t;
                }
            }

            return new Setter();
        }
    }

    public static void main(String[] args) {
        System.out.println(run(3) + " " + run(-1));
        Outer<String> o = new Outer<>();
        Runnable r = o.later("set");
        System.out.println(o.held);
        r.run();
        System.out.println(o.held + " " + r.getClass().getSimpleName() + " " + r.getClass().isLocalClass());
        class Counter {
            static int made;
            final int id = ++made;

            Counter twin() {
                return new Counter();
            }
        }
        System.out.println(new Counter().twin().twin().id + Counter.made);
    }
}
