import evergreen.Sym;

/** Insertions and deletions of symbolic keys, as in the scaling examples of Green (FSE'12, 4.1.2). */
public class TreeMapUpdates {
    private static final String[] NAMES = {"a", "b", "c", "d", "e", "f", "g"};

    /** {@code n} operations: the i-th deletes if bit i of {@code which} is set, else it inserts. */
    public static void updates(int n, int which) {
        TreeMap map = new TreeMap();
        for (int i = 0; i < n; i++) {
            int key = Sym.anInt(NAMES[i]);
            if ((which >> i & 1) == 0) {
                map.put(key, i);
            } else {
                map.remove(key);
            }
        }
    }
}
