package evergreen;

/**
 * Where instrumented classes report the arms that they take.
 *
 * <p>{@code hit} is planted at every arm, so it does as little as it can: no locks, no objects unless
 * the buffer must grow. Calls come from one thread, the one that replays.
 */
public final class Probe {
    private static final int START = 1024;

    /** A path longer than this is not kept: its tail is dropped and {@link #dropped} tells so. */
    private static final int MOST = 1 << 26;

    private static int[] hits = new int[START];
    private static int count;
    private static boolean dropped;

    private Probe() {}

    /** Records that the arm {@code id} was taken. */
    public static void hit(int id) {
        if (count == hits.length) {
            if (count >= MOST) {
                dropped = true;
                return;
            }
            int[] larger = new int[count * 2];
            System.arraycopy(hits, 0, larger, 0, count);
            hits = larger;
        }
        hits[count++] = id;
    }

    /** The arms taken since the last call, in order; the record is empty afterwards. */
    public static int[] take() {
        int[] taken = new int[count];
        System.arraycopy(hits, 0, taken, 0, count);
        count = 0;
        dropped = false;
        return taken;
    }

    /** Whether hits were dropped since the last {@link #take} because there were too many. */
    public static boolean dropped() {
        return dropped;
    }
}
