import evergreen.Sym;
import java.util.TreeMap;

/** Drives java.util.TreeMap: n insertions have as many paths as n keys have weak orders. */
public class TreeMapJdk {
    private static TreeMap<Integer, Integer> filled(int n) {
        TreeMap<Integer, Integer> map = new TreeMap<>();
        for (int i = 0; i < n; i++) {
            map.put(Sym.anInt("key" + i), i);
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

    /** Three keys, then what the map has of any key. */
    public static boolean putGet() {
        return filled(3).get(Sym.anInt("asked")) != null;
    }

    public static void putRemove() {
        TreeMap<Integer, Integer> map = filled(3);
        int before = map.size();
        int gone = Sym.anInt("gone");
        boolean was = map.remove(gone) != null;
        Sym.check(map.size() == (was ? before - 1 : before), "the size counts the keys");
        Sym.check(!map.containsKey(gone), "a removed key is gone");
    }

    /** The neighbours of any key. */
    public static void floorCeiling() {
        TreeMap<Integer, Integer> map = filled(2);
        int asked = Sym.anInt("asked");
        Integer floor = map.floorKey(asked);
        Integer ceiling = map.ceilingKey(asked);
        Sym.check(floor == null || floor <= asked, "the floor is not above");
        Sym.check(ceiling == null || ceiling >= asked, "the ceiling is not below");
        Sym.check(floor != null || ceiling != null, "one of them is there");
    }
}
