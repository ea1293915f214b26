import evergreen.Sym;

/** Drives {@link TreeMap}: n insertions have as many paths as n keys have weak orders. */
public class TreeMapDriver {
    private static final String[] NAMES = {"a", "b", "c", "d", "e", "f", "g"};

    private static TreeMap filled(int n) {
        TreeMap map = new TreeMap();
        for (int i = 0; i < n; i++) {
            map.put(Sym.anInt(NAMES[i]), i);
        }
        return map;
    }

    public static int put1() {
        return filled(1).size();
    }

    public static int put2() {
        return filled(2).size();
    }

    public static int put3() {
        return filled(3).size();
    }

    public static int put4() {
        return filled(4).size();
    }

    public static int put5() {
        return filled(5).size();
    }

    public static int put6() {
        return filled(6).size();
    }

    public static int put7() {
        return filled(7).size();
    }

    /** Puts {@code n} keys. */
    public static int put(int n) {
        return filled(n).size();
    }

    /** Three keys, and what the map says of any key. */
    public static int putGet() {
        TreeMap map = filled(3);
        return map.get(Sym.anInt("asked"), -1);
    }

    /** Three keys, then the removal of any key: the map is valid and the key is gone. */
    public static void putRemove() {
        TreeMap map = filled(3);
        int gone = Sym.anInt("gone");
        int before = map.size();
        boolean was = map.remove(gone);
        Sym.check(map.size() == (was ? before - 1 : before), "the size counts the keys");
        Sym.check(!map.containsKey(gone), "a removed key is gone");
        Sym.check(map.isValid(), "the map is a red-black tree");
    }

    /** Three operations, each one of put, get and remove. */
    public static void operations3() {
        operations(3);
    }

    /** As {@link #operations3}, four of them. */
    public static void operations4() {
        operations(4);
    }

    private static void operations(int n) {
        TreeMap map = new TreeMap();
        for (int i = 0; i < n; i++) {
            int operation = Sym.choose(3);
            int key = Sym.anInt(NAMES[i]);
            if (operation == 0) {
                map.put(key, i);
            } else if (operation == 1) {
                map.get(key, -1);
            } else {
                map.remove(key);
            }
        }
        Sym.check(map.isValid(), "the map is a red-black tree");
    }
}
