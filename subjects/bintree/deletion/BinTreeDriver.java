import evergreen.Sym;

/** Drives {@link BinTree}: n additions of symbolic keys have as many paths as n keys have weak orders. */
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

    /** Three additions, then the removal of any key; the tree stays a search tree without that key. */
    public static void addRemove() {
        BinTree tree = added(3);
        int before = tree.size();
        int gone = Sym.anInt("gone");
        boolean was = tree.remove(gone);
        Sym.check(tree.size() == (was ? before - 1 : before), "the size counts the keys");
        Sym.check(!tree.find(gone), "a removed key is gone");
        Sym.check(tree.isValid(), "the tree is a search tree");
    }

    /** Three operations, each one of add, find and remove. */
    public static void operations3() {
        operations(3);
    }

    /** As {@link #operations3}, four of them. */
    public static void operations4() {
        operations(4);
    }

    private static void operations(int n) {
        BinTree tree = new BinTree();
        for (int i = 0; i < n; i++) {
            int operation = Sym.choose(3);
            int key = Sym.anInt(NAMES[i]);
            if (operation == 0) {
                tree.add(key);
            } else if (operation == 1) {
                tree.find(key);
            } else {
                tree.remove(key);
            }
        }
        Sym.check(tree.isValid(), "the tree is a search tree");
    }
}
