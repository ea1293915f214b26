/** Static nested classes, singletons, builders, private access between nest mates. */
public class ObjectStaticNested {
    private static int created;
    private final String host;
    private final int port;
    private final boolean secure;

    private ObjectStaticNested(Builder b) {
        host = b.host;
        port = b.port;
        secure = b.secure;
        created++;
    }

    static Builder builder() {
        return new Builder();
    }

    static class Builder {
        private String host = "localhost";
        private int port = 80;
        private boolean secure;

        private Builder() {
        }

        Builder host(String h) {
            host = h;
            return this;
        }

        Builder port(int p) {
            if (p < 0 || p > 65535) {
                throw new IllegalArgumentException("port " + p);
            }
            port = p;
            return this;
        }

        Builder secure() {
            secure = !secure;
            return this;
        }

        ObjectStaticNested build() {
            return new ObjectStaticNested(this);
        }
    }

    private static class Holder {
        static final Holder ONE = new Holder();
        private int hits;

        private int hit() {
            return ++hits;
        }
    }

    @Override
    public String toString() {
        return (secure ? "https" : "http") + "://" + host + ":" + port;
    }

    public static void main(String[] args) {
        System.out.println(builder().build());
        System.out.println(builder().host("example").port(443).secure().build() + " " + created);
        try {
            builder().port(70000);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Holder.ONE.hit();
        System.out.println(Holder.ONE.hit() + Holder.ONE.hits);
    }
}
