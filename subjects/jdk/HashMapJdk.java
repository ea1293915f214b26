import evergreen.Sym;
import java.util.HashMap;

/** Drives java.util.HashMap: the bucket of a symbolic key is a symbolic index. */
public class HashMapJdk {
    private static HashMap<Integer, Integer> filled(int n, int most) {
        HashMap<Integer, Integer> map = new HashMap<>();
        for (int i = 0; i < n; i++) {
            map.put(Sym.anInt("key" + i, 0, most), i);
        }
        return map;
    }

    /** Two keys of a small range. */
    public static int put2() {
        return filled(2, 3).size();
    }

    /** Keys that share buckets: 16 buckets, keys up to 40. */
    public static int putShared() {
        HashMap<Integer, Integer> map = new HashMap<>();
        map.put(1, 1);
        map.put(17, 2);
        map.put(33, 3);
        int key = Sym.anInt("key", 0, 40);
        Integer got = map.get(key);
        Sym.check((got != null) == (key == 1 || key == 17 || key == 33), "only what was put is there");
        return got == null ? 0 : got;
    }

    /** String keys of one symbolic character each. */
    public static int words() {
        HashMap<String, Integer> map = new HashMap<>();
        map.put("a", 1);
        map.put("b", 2);
        char c = Sym.aChar("c");
        Sym.assume(c >= 'a' && c <= 'd');
        return map.getOrDefault(String.valueOf(c), 0);
    }

    public static int putRemove() {
        HashMap<Integer, Integer> map = filled(2, 3);
        int before = map.size();
        boolean was = map.remove(Sym.anInt("gone", 0, 3)) != null;
        Sym.check(map.size() == (was ? before - 1 : before), "the size counts the keys");
        return map.size();
    }
}
