package made;

/** Objects whose constructors do little, or much. */
public class Spans {
    /** Days and months of a time, which only one constructor computes. */
    public static class Span {
        private final int days;
        private final int months;
        private final int rest;

        public Span(int months, int days, int rest) {
            this.months = months;
            this.days = days;
            this.rest = rest;
        }

        public Span(long time) {
            long left = time;
            int found = 0;
            for (int length : new int[] {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 31, 28, 31, 30}) {
                if (left < length) {
                    break;
                }
                left -= length;
                found++;
            }
            months = found;
            days = (int) (left % 100);
            rest = (int) (left / 100);
        }

        public boolean isLong() {
            return months > 6;
        }
    }

    /** Has no other constructor. */
    public static class Only {
        private final int bits;

        public Only(long set) {
            int count = 0;
            for (long left = set; left != 0; left &= left - 1) {
                count++;
                if (count > 14) {
                    break;
                }
            }
            bits = count;
        }

        public boolean isEmpty() {
            return bits == 0;
        }
    }
}
