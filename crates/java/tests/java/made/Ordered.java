package made;

/** Initializers that branch: a constructor's class comes before its arguments, a factory's class behind them. */
public class Ordered {
    static int count(int rounds) {
        int count = 0;
        for (int i = 0; i < rounds; i++) {
            count++;
        }
        return count;
    }

    public static class Part {
        static final int SIZE = count(2);
        final int number;

        private Part(int number) {
            this.number = number + SIZE;
        }

        public static Part of(int number) {
            return new Part(number);
        }
    }

    public static class Whole {
        static final int SIZE = count(5);
        final int number;

        private Whole(Part part) {
            number = part == null ? SIZE : part.number;
        }

        public static Whole of(Part part) {
            return new Whole(part);
        }

        public boolean isLarge() {
            return number > 7;
        }
    }

    public static class Made {
        static final int SIZE = count(7);
        private final Part part;

        public Made(Part part) {
            this.part = part;
        }

        public boolean isLarge() {
            return part != null && part.number > SIZE;
        }
    }
}
