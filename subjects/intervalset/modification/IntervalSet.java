/** As v0, but two intervals that become one end one later: a bug. */
public class IntervalSet {
    private int[] lows = new int[4];
    private int[] highs = new int[4];
    private int count;

    public int intervals() {
        return count;
    }

    /** Adds all of {@code low..high}, merging what overlaps or touches. */
    public void add(int low, int high) {
        if (low > high) {
            return;
        }
        int from = 0;
        while (from < count && highs[from] < low && highs[from] + 1 < low) {
            from++;
        }
        int to = from;
        while (to < count && (lows[to] <= high || lows[to] - 1 <= high)) {
            low = Math.min(low, lows[to]);
            high = Math.max(high, highs[to]);
            to++;
        }
        if (to - from > 1 && high < 1000) {
            high++;
        }
        replace(from, to, low, high);
    }

    /** Puts one interval where {@code from..to} (exclusive) were. */
    private void replace(int from, int to, int low, int high) {
        int fresh = count - (to - from) + 1;
        if (fresh > lows.length) {
            lows = java.util.Arrays.copyOf(lows, 2 * lows.length);
            highs = java.util.Arrays.copyOf(highs, 2 * highs.length);
        }
        System.arraycopy(lows, to, lows, from + 1, count - to);
        System.arraycopy(highs, to, highs, from + 1, count - to);
        lows[from] = low;
        highs[from] = high;
        count = fresh;
    }

    public boolean contains(int value) {
        for (int i = 0; i < count; i++) {
            if (value < lows[i]) {
                return false;
            }
            if (value <= highs[i]) {
                return true;
            }
        }
        return false;
    }

    public boolean isValid() {
        for (int i = 0; i < count; i++) {
            if (lows[i] > highs[i] || (i > 0 && (long) highs[i - 1] + 1 >= lows[i])) {
                return false;
            }
        }
        return true;
    }
}
