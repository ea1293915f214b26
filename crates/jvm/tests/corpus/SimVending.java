/** A vending machine: states as enum constants with behaviour, coins, change. */
public class SimVending {
    enum State {
        IDLE {
            State coin(SimVending m, int c) {
                m.credit += c;
                return m.credit >= PRICE ? READY : COLLECTING;
            }
        },
        COLLECTING {
            State coin(SimVending m, int c) {
                return IDLE.coin(m, c);
            }

            State refund(SimVending m) {
                m.give(m.credit);
                m.credit = 0;
                return IDLE;
            }
        },
        READY {
            State press(SimVending m) {
                if (--m.stock < 0) {
                    m.stock = 0;
                    return BROKEN;
                }
                m.give(m.credit - PRICE);
                m.credit = 0;
                return IDLE;
            }

            State refund(SimVending m) {
                return COLLECTING.refund(m);
            }
        },
        BROKEN;

        static final int PRICE = 120;

        State coin(SimVending m, int c) {
            m.give(c);
            return this;
        }

        State press(SimVending m) {
            return this;
        }

        State refund(SimVending m) {
            return this;
        }
    }

    State state = State.IDLE;
    int credit;
    int stock = 1;
    StringBuilder out = new StringBuilder();

    void give(int amount) {
        for (int coin : new int[] {100, 50, 20, 10}) {
            for (; amount >= coin; amount -= coin) {
                out.append(coin).append(' ');
            }
        }
    }

    void feed(String events) {
        for (char e : events.toCharArray()) {
            state = switch (e) {
                case 'l' -> state.coin(this, 100);
                case 's' -> state.coin(this, 50);
                case 'p' -> state.press(this);
                case 'r' -> state.refund(this);
                default -> throw new IllegalArgumentException("event " + e);
            };
        }
        System.out.println(events + ": " + state + " " + credit + " [" + out.toString().trim() + "]");
        out.setLength(0);
    }

    public static void main(String[] args) {
        SimVending m = new SimVending();
        m.feed("p");
        m.feed("ssr");
        m.feed("lsp");
        m.feed("ll");
        m.feed("lr");
        m.feed("llp");
        m.feed("l");
        try {
            m.feed("x");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
