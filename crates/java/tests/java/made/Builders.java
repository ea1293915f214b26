package made;

/** Objects that builders make, and nothing else does. */
public class Builders {
    private final int size;
    private final String name;

    private Builders(Builder from) {
        size = from.size;
        name = from.name;
    }

    public static class Builder {
        private int size = 7;
        private String name = "";

        public Builder size(int size) {
            this.size = size;
            return this;
        }

        public Builder name(String name) {
            this.name = name;
            return this;
        }

        public Builder copy(Builder other) {
            return other;
        }

        public Builders build() {
            if (size < 0) throw new IllegalStateException("size");
            return new Builders(this);
        }
    }

    /** Only a builder without a setter leaves 7, or a setter that sets it. */
    public int share() {
        return name == null ? 0 : 100 / (size - 7);
    }

    public static boolean isWide(Ticket ticket) {
        return ticket.width > 10;
    }

    /** Its builder is a class beside it, made by a factory, that returns a new one from each call. */
    public static class Ticket {
        private final long width;

        private Ticket(long width) {
            this.width = width;
        }

        static final class Maker {
            private final long width;

            private Maker(long width) {
                this.width = width;
            }

            static Maker start() {
                return new Maker(1);
            }

            Maker width(long width) {
                return new Maker(width);
            }

            Ticket build() {
                return new Ticket(width);
            }
        }
    }
}
