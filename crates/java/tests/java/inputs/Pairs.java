package inputs;

import java.util.LinkedList;
import java.util.TreeMap;
import java.util.TreeSet;

/** Methods of several objects, of the JDK too. */
public class Pairs {
    public static int both(TreeMap<Integer, Integer> one, TreeMap<Integer, Integer> other, int key) {
        if (one == null || other == null) {
            return -1;
        }
        return one == other ? 0 : one.containsKey(key) ? 1 : other.containsKey(key) ? 2 : 3;
    }

    /** Valid if it is not negative. */
    static class Cell {
        int value;

        public boolean repOK() {
            return value >= 0;
        }
    }

    public static int cells(Cell one, Cell other) {
        if (one == null || other == null || one == other) {
            return 0;
        }
        return one.value <= 5 ? 1 : other.value < 0 ? 2 : 3;
    }

    public static boolean add(TreeSet<Integer> set, int key) {
        return set.add(key);
    }

    /** An element that is there is taken out. */
    public static boolean take(TreeSet<Integer> set, int key) {
        boolean was = set.contains(key);
        boolean taken = set.remove(key);
        assert taken == was;
        return taken;
    }

    public static Integer last(LinkedList<Integer> list) {
        Integer last = list.removeLast();
        return list.isEmpty() ? null : last;
    }
}
