/** Constants with bodies, abstract methods, interfaces, nested state machines. */
public class EnumBodies {
    interface Shown {
        String show();
    }

    enum Op implements Shown {
        PLUS("+") {
            int apply(int a, int b) {
                return a + b;
            }
        },
        TIMES("*") {
            int apply(int a, int b) {
                return a * b;
            }

            @Override
            public String show() {
                return "times";
            }
        },
        POWER("^") {
            int apply(int a, int b) {
                int r = 1;
                while (b-- > 0) {
                    r = TIMES.apply(r, a);
                }
                return r;
            }
        };

        private final String symbol;

        Op(String symbol) {
            this.symbol = symbol;
        }

        abstract int apply(int a, int b);

        public String show() {
            return symbol;
        }
    }

    enum Light {
        RED, GREEN, YELLOW;

        Light next() {
            return values()[(ordinal() + 1) % values().length];
        }

        @Override
        public String toString() {
            return name().charAt(0) + name().substring(1).toLowerCase();
        }
    }

    public static void main(String[] args) {
        for (Op op : Op.values()) {
            System.out.println("3" + op.show() + "4=" + op.apply(3, 4) + " " + (op.getClass() == Op.class) + " " + op.getDeclaringClass().getSimpleName());
        }
        Light l = Light.RED;
        for (int i = 0; i < 5; i++) {
            System.out.print(l + " ");
            l = l.next();
        }
        System.out.println(l.name());
        Shown s = Op.POWER;
        System.out.println(s.show() + Op.valueOf("PLUS").apply(1, 1));
    }
}
