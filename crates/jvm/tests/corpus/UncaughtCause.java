/** An uncaught exception with a cause and a suppressed one: everything goes to stderr. */
public class UncaughtCause {
    static class Layer extends Exception {
        Layer(String m, Throwable cause) {
            super(m, cause);
        }
    }

    static void low() {
        throw new NumberFormatException("q");
    }

    public static void main(String[] args) throws Exception {
        System.out.println("one");
        try {
            low();
        } catch (NumberFormatException e) {
            Layer l = new Layer("layer", e);
            l.addSuppressed(new IllegalStateException("side"));
            System.out.println("two");
            throw l;
        }
    }
}
