/** Private members between nested classes: fields, methods, constructors, compound assignment. */
public class NestMates {
    private int secret = 1;
    private static long shared = 1L << 33;

    private int twice(int x) {
        return 2 * x + secret;
    }

    private static String hidden(double d) {
        return "h" + d;
    }

    static class Peer {
        private byte b = 127;
        private final int[] cells = {1, 2};
        private String s;

        private Peer(String s) {
            this.s = s;
        }

        private Peer() {
            this("default");
        }

        int poke(NestMates m) {
            m.secret += 5;
            m.secret++;
            shared--;
            return m.twice(m.secret--) + m.secret;
        }
    }

    class Inner {
        private int own = secret;

        private int bump() {
            return own += secret *= 2;
        }
    }

    interface Face {
        private int impl(int x) {
            return x + 1;
        }

        private static int stat(int x) {
            return x * 3;
        }

        default int both(int x) {
            return impl(x) + stat(x);
        }
    }

    static class Child extends Peer {
        private String s = "child";

        private Child() {
            super("parent");
        }
    }

    public static void main(String[] args) {
        NestMates m = new NestMates();
        Peer p = new Peer();
        System.out.println(p.poke(m) + " " + m.secret + " " + shared);
        p.b++;
        p.cells[1] <<= 3;
        p.s += p.b;
        System.out.println(p.s + p.cells[1] + hidden(0.5));
        Inner i = m.new Inner();
        System.out.println(i.bump() + i.own + m.secret);
        System.out.println(new Face() { }.both(4) + Face.stat(2));
        Child c = new Child();
        System.out.println(c.s + ((Peer) c).s);
        Runnable r = () -> shared *= 2;
        r.run();
        System.out.println(shared);
    }
}
