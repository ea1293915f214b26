import evergreen.Sym;

/** Drives {@link BinomialHeap} with symbolic keys. */
public class BinomialHeapDriver {
    private static final String[] NAMES = {"a", "b", "c", "d", "e", "f", "g"};

    /** {@code n} operations: the i-th deletes a key if bit i of {@code which} is set, else it inserts one. */
    public static void updates(int n, int which) {
        BinomialHeap heap = new BinomialHeap();
        for (int i = 0; i < n; i++) {
            int key = Sym.anInt(NAMES[i]);
            if ((which >> i & 1) == 0) {
                heap.insert(key);
            } else {
                heap.delete(key);
            }
        }
    }
}
