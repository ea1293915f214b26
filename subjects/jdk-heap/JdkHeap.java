import java.util.LinkedList;
import java.util.TreeMap;
import java.util.TreeSet;

/** Methods that are given a collection of the JDK itself: any valid one. */
public class JdkHeap {
    public static boolean containsKey(TreeMap<Integer, Integer> map, int key) {
        return map.containsKey(key);
    }

    public static int firstKey(TreeMap<Integer, Integer> map) {
        return map.firstKey();
    }

    public static int ceiling(TreeMap<Integer, Integer> map, int key) {
        Integer found = map.ceilingKey(key);
        return found == null ? -100 : found;
    }

    /** Putting leaves a map that has the key: fails for no valid one. */
    public static int put(TreeMap<Integer, Integer> map, int key) {
        int before = map.size();
        Integer old = map.put(key, 7);
        assert map.get(key) == 7;
        assert map.size() == (old == null ? before + 1 : before);
        return map.size();
    }

    /** Removing leaves a map that has not the key: fails for no valid one. */
    public static int remove(TreeMap<Integer, Integer> map, int key) {
        int before = map.size();
        Integer old = map.remove(key);
        assert !map.containsKey(key);
        assert map.size() == (old == null ? before : before - 1);
        return map.size();
    }

    public static boolean contains(TreeSet<Integer> set, int key) {
        return set.contains(key);
    }

    public static int first(TreeSet<Integer> set) {
        return set.first();
    }

    /** Whether the key was not there. */
    public static boolean add(TreeSet<Integer> set, int key) {
        boolean was = set.contains(key);
        boolean added = set.add(key);
        assert added != was && set.contains(key);
        return added;
    }

    /** Whether the key was there. */
    public static boolean take(TreeSet<Integer> set, int key) {
        boolean was = set.contains(key);
        boolean taken = set.remove(key);
        assert taken == was && !set.contains(key);
        return taken;
    }

    /** The position of an element; -1 if it is not there. */
    public static int indexOf(LinkedList<Integer> list, int element) {
        return list.indexOf(element);
    }

    /** Adding leaves a list that ends with the element: fails for no valid one. */
    public static int addLast(LinkedList<Integer> list, int element) {
        int before = list.size();
        list.addLast(element);
        assert list.getLast() == element && list.size() == before + 1;
        return list.size();
    }

    public static int removeAt(LinkedList<Integer> list, int index) {
        return list.remove(index);
    }
}
