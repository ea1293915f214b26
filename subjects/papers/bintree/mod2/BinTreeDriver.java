import evergreen.Sym;

/** Drives {@link BinTree} with symbolic keys. */
public class BinTreeDriver {
    private static final String[] NAMES = {"a", "b", "c", "d", "e", "f", "g"};

    private static BinTree added(int n) {
        BinTree tree = new BinTree();
        for (int i = 0; i < n; i++) {
            tree.add(Sym.anInt(NAMES[i]));
        }
        return tree;
    }

    public static int add1() {
        return added(1).size();
    }

    public static int add2() {
        return added(2).size();
    }

    public static int add3() {
        return added(3).size();
    }

    public static int add4() {
        return added(4).size();
    }

    public static int add5() {
        return added(5).size();
    }

    public static int add6() {
        return added(6).size();
    }

    public static int add7() {
        return added(7).size();
    }

    /** Adds {@code n} keys. */
    public static int add(int n) {
        return added(n).size();
    }

    /** {@code n} operations: the i-th removes a key if bit i of {@code which} is set, else it adds one. */
    public static void updates(int n, int which) {
        BinTree tree = new BinTree();
        for (int i = 0; i < n; i++) {
            int key = Sym.anInt(NAMES[i]);
            if ((which >> i & 1) == 0) {
                tree.add(key);
            } else {
                tree.remove(key);
            }
        }
    }
}
