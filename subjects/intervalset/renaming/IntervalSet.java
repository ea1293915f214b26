/** As v0, with other names of fields and helpers. */
public class IntervalSet {
    private int[] starts = new int[4];
    private int[] ends = new int[4];
    private int used;

    public int intervals() {
        return used;
    }

    /** Adds all of {@code low..high}, merging what overlaps or touches. */
    public void add(int low, int high) {
        if (low > high) {
            return;
        }
        int from = 0;
        while (from < used && ends[from] < low && ends[from] + 1 < low) {
            from++;
        }
        int to = from;
        while (to < used && (starts[to] <= high || starts[to] - 1 <= high)) {
            low = Math.min(low, starts[to]);
            high = Math.max(high, ends[to]);
            to++;
        }
        splice(from, to, low, high);
    }

    /** Puts one interval where {@code from..to} (exclusive) were. */
    private void splice(int from, int to, int low, int high) {
        int total = used - (to - from) + 1;
        if (total > starts.length) {
            starts = java.util.Arrays.copyOf(starts, 2 * starts.length);
            ends = java.util.Arrays.copyOf(ends, 2 * ends.length);
        }
        System.arraycopy(starts, to, starts, from + 1, used - to);
        System.arraycopy(ends, to, ends, from + 1, used - to);
        starts[from] = low;
        ends[from] = high;
        used = total;
    }

    public boolean contains(int value) {
        for (int i = 0; i < used; i++) {
            if (value < starts[i]) {
                return false;
            }
            if (value <= ends[i]) {
                return true;
            }
        }
        return false;
    }

    public boolean isValid() {
        for (int i = 0; i < used; i++) {
            if (starts[i] > ends[i] || (i > 0 && (long) ends[i - 1] + 1 >= starts[i])) {
                return false;
            }
        }
        return true;
    }
}
