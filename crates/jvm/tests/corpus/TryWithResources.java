/** Resources close in reverse order; failures in close are suppressed. */
public class TryWithResources {
    static class Res implements AutoCloseable {
        final String name;
        final boolean bad;

        Res(String name, boolean bad) {
            this.name = name;
            this.bad = bad;
            System.out.println("open " + name);
        }

        @Override
        public void close() throws Exception {
            System.out.println("close " + name);
            if (bad) {
                throw new Exception("close failed: " + name);
            }
        }
    }

    static void run(boolean badBody, boolean badA, boolean badB) {
        try (Res a = new Res("a", badA); Res b = new Res("b", badB)) {
            System.out.println("body " + a.name + b.name);
            if (badBody) {
                throw new IllegalStateException("body failed");
            }
        } catch (Exception e) {
            System.out.println(e.getMessage());
            for (Throwable t : e.getSuppressed()) {
                System.out.println("  suppressed " + t.getMessage());
            }
        } finally {
            System.out.println("finally");
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 8; i++) {
            run((i & 1) != 0, (i & 2) != 0, (i & 4) != 0);
        }
        try (Res nothing = null) {
            System.out.println("null is fine");
        }
        Res outside = new Res("outside", false);
        try (outside) {
            System.out.println("in");
        }
    }
}
