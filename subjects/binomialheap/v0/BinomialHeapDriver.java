import evergreen.Sym;

/** Drives {@link BinomialHeap}. */
public class BinomialHeapDriver {
    private static final String[] NAMES = {"a", "b", "c", "d", "e", "f", "g", "h"};

    private static BinomialHeap filled(int n) {
        BinomialHeap heap = new BinomialHeap();
        for (int i = 0; i < n; i++) {
            heap.insert(Sym.anInt(NAMES[i]));
        }
        return heap;
    }

    public static int insert3() {
        return filled(3).size();
    }

    public static int insert4() {
        return filled(4).size();
    }

    public static int insert5() {
        return filled(5).size();
    }

    public static int insert6() {
        return filled(6).size();
    }

    /** Inserts {@code n} keys. */
    public static int insert(int n) {
        return filled(n).size();
    }

    /** Sorting by heap: keys come out in order. */
    public static void sorted3() {
        sorted(3);
    }

    public static void sorted4() {
        sorted(4);
    }

    private static void sorted(int n) {
        BinomialHeap heap = filled(n);
        int last = heap.deleteMin();
        while (!heap.isEmpty()) {
            int key = heap.deleteMin();
            Sym.check(last <= key, "keys come out in order");
            last = key;
        }
    }

    /** Four keys, then any of them lowered. */
    public static void decrease4() {
        BinomialHeap heap = filled(4);
        int key = Sym.anInt("key");
        int lower = Sym.anInt("lower");
        Sym.assume(lower <= key);
        heap.decrease(key, lower);
        Sym.check(heap.isValid(), "the heap is binomial");
    }

    public static void operations3() {
        operations(3);
    }

    public static void operations4() {
        operations(4);
    }

    public static void operations5() {
        operations(5);
    }

    private static void operations(int n) {
        BinomialHeap heap = new BinomialHeap();
        for (int i = 0; i < n; i++) {
            int operation = Sym.choose(3);
            if (operation == 0) {
                heap.insert(Sym.anInt(NAMES[i]));
            } else if (operation == 1) {
                if (!heap.isEmpty()) {
                    heap.deleteMin();
                }
            } else {
                int key = Sym.anInt(NAMES[i]);
                if (key > Integer.MIN_VALUE) {
                    heap.decrease(key, key - 1);
                }
            }
        }
        Sym.check(heap.isValid(), "the heap is binomial");
    }
}
