package calls;

import java.util.LinkedList;
import java.util.TreeMap;
import java.util.TreeSet;

/** Collections of the JDK as inputs. */
public class Maps {
    public static boolean has(TreeMap<Integer, Integer> map, int key) {
        return map.containsKey(key);
    }

    public static int put(TreeMap<Integer, Integer> map, int key) {
        map.put(key, 7);
        return map.size();
    }

    public static boolean has(TreeSet<Integer> set, int key) {
        return set.contains(key);
    }

    public static int large(LinkedList<Integer> list) {
        int large = 0;
        for (int item : list) large += item > 3 ? 1 : 0;
        return large;
    }

    public static boolean beginAlike(TreeMap<Integer, Integer> a, TreeMap<Integer, Integer> b) {
        return a != b && a.firstKey().equals(b.firstKey());
    }
}
