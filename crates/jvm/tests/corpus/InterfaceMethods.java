/** default, static and private interface methods; the diamond and super calls into it. */
public class InterfaceMethods {
    interface Walker {
        int legs();

        default String move() {
            return "walks on " + legs() + tail();
        }

        static Walker of(int n) {
            return () -> n;
        }

        private String tail() {
            return " legs";
        }
    }

    interface Swimmer {
        default String move() {
            return "swims";
        }
    }

    static class Duck implements Walker, Swimmer {
        public int legs() {
            return 2;
        }

        @Override
        public String move() {
            return Walker.super.move() + " and " + Swimmer.super.move();
        }
    }

    static class Base {
        public String move() {
            return "class wins";
        }
    }

    static class Fish extends Base implements Swimmer { }

    interface Deep extends Swimmer {
        @Override
        default String move() {
            return "dives";
        }
    }

    static class Whale implements Swimmer, Deep { }

    abstract static class Half implements Walker {
        @Override
        public abstract String move();
    }

    public static void main(String[] args) {
        System.out.println(new Duck().move());
        System.out.println(new Fish().move());
        System.out.println(new Whale().move());
        System.out.println(Walker.of(8).move());
        Half h = new Half() {
            public String move() {
                return "half " + legs();
            }

            public int legs() {
                return 1;
            }
        };
        Walker w = h;
        System.out.println(w.move());
        Object o = new Whale();
        System.out.println((o instanceof Swimmer) + " " + (o instanceof Walker) + " " + ((Deep) o).move());
    }
}
