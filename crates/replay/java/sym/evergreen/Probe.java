package evergreen;

/**
 * Where instrumented classes report the arms that they take.
 *
 * <p>{@code hit} is planted at every arm, so it does as little as it can: no locks, no objects unless
 * the buffer must grow. Calls come from one thread, the one that replays.
 */
public final class Probe {
    private static final int START = 1024;

    /** The order of hits beyond this is not kept; {@link #late} still tells which there were. */
    private static final int MOST = 1 << 22;

    private static int[] hits = new int[START];
    private static int count;
    private static boolean[] later;

    private Probe() {}

    /** Records that the arm {@code id} was taken. */
    public static void hit(int id) {
        if (count == hits.length) {
            if (count >= MOST) {
                hitLate(id);
                return;
            }
            int[] larger = new int[count * 2];
            System.arraycopy(hits, 0, larger, 0, count);
            hits = larger;
        }
        hits[count++] = id;
    }

    private static void hitLate(int id) {
        if (later == null || id >= later.length) {
            boolean[] larger = new boolean[id * 2 + START];
            if (later != null) {
                System.arraycopy(later, 0, larger, 0, later.length);
            }
            later = larger;
        }
        later[id] = true;
    }

    /** The arms taken since the last call, in order; the record is empty afterwards. */
    public static int[] take() {
        // The thread that hits may still run, if another one has lost patience with it.
        int[] from = hits;
        int[] taken = new int[Math.min(count, from.length)];
        System.arraycopy(from, 0, taken, 0, taken.length);
        count = 0;
        later = null;
        if (hits.length > START * START) {
            hits = new int[START];
        }
        return taken;
    }

    /**
     * The arms taken since the last {@link #take} for whose order there was no room, each once; null if there was room for
     * all.
     */
    public static int[] late() {
        if (later == null) {
            return null;
        }
        boolean[] marked = later.clone();
        int found = 0;
        for (boolean hit : marked) {
            if (hit) {
                found++;
            }
        }
        int[] late = new int[found];
        for (int id = marked.length - 1; id >= 0; id--) {
            if (marked[id]) {
                late[--found] = id;
            }
        }
        return late;
    }
}
