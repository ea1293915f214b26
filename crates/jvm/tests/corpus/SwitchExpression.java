/** switch as an expression: arrows, several labels, yield. */
public class SwitchExpression {
    enum Suit { CLUBS, DIAMONDS, HEARTS, SPADES }

    static int value(String face) {
        return switch (face) {
            case "J", "Q", "K" -> 10;
            case "A" -> {
                int low = 1;
                yield low + 10;
            }
            default -> Integer.parseInt(face);
        };
    }

    static char color(Suit s) {
        return switch (s) {
            case DIAMONDS, HEARTS -> 'r';
            case CLUBS, SPADES -> 'b';
        };
    }

    static long nested(int a, int b) {
        return switch (a) {
            case 0:
                yield switch (b) {
                    case 0 -> 1L;
                    case 1 -> 2L;
                    default -> throw new IllegalArgumentException("b=" + b);
                };
            case 1:
                yield b * 10L;
            default:
                if (b > 0) {
                    yield a;
                }
                yield -a;
        };
    }

    public static void main(String[] args) {
        System.out.println(value("J") + value("A") + value("7"));
        for (Suit s : Suit.values()) {
            System.out.print(color(s));
        }
        System.out.println();
        System.out.println(nestedSafe(0, 0) + " " + nestedSafe(0, 1) + " " + nestedSafe(0, 2) + " " + nestedSafe(1, 5)
            + " " + nestedSafe(9, 1) + " " + nestedSafe(9, 0));
        switch (args.length) {
            case 0 -> System.out.println("no arguments");
            default -> System.out.println("arguments");
        }
    }

    static String nestedSafe(int a, int b) {
        try {
            return "" + nested(a, b);
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }
}
