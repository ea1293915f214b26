import evergreen.Sym;

/** Drives {@link TreeMap} with symbolic keys. */
public class TreeMapDriver {
    private static final String[] NAMES = {"a", "b", "c", "d", "e", "f", "g"};

    private static TreeMap filled(int n) {
        TreeMap map = new TreeMap();
        for (int i = 0; i < n; i++) {
            map.put(Sym.anInt(NAMES[i]), i);
        }
        return map;
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

    /** {@code n} operations: the i-th removes a key if bit i of {@code which} is set, else it puts one. */
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
