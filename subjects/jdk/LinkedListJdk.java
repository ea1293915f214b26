import evergreen.Sym;
import java.util.Iterator;
import java.util.LinkedList;

/** Drives java.util.LinkedList. */
public class LinkedListJdk {
    private static LinkedList<Integer> filled(int n) {
        LinkedList<Integer> list = new LinkedList<>();
        for (int i = 0; i < n; i++) {
            list.add(Sym.anInt("e" + i));
        }
        return list;
    }

    /** Where any value is first found among four. */
    public static int indexOf() {
        LinkedList<Integer> list = filled(4);
        int asked = Sym.anInt("asked");
        int index = list.indexOf(asked);
        Sym.check(index < 0 || list.get(index) == asked, "what is found is there");
        return index;
    }

    /** A symbolic index. */
    public static int get(int index) {
        LinkedList<Integer> list = new LinkedList<>();
        for (int i = 0; i < 5; i++) {
            list.add(i * i);
        }
        return list.get(index);
    }

    /** Negative elements removed through the iterator. */
    public static int removeNegative() {
        LinkedList<Integer> list = filled(3);
        for (Iterator<Integer> it = list.iterator(); it.hasNext(); ) {
            if (it.next() < 0) {
                it.remove();
            }
        }
        for (int left : list) {
            Sym.check(left >= 0, "nothing negative is left");
        }
        return list.size();
    }

    /** Five operations at either end. */
    public static int operations5() {
        LinkedList<Integer> list = new LinkedList<>();
        int count = 0;
        for (int i = 0; i < 5; i++) {
            switch (Sym.choose(4)) {
                case 0:
                    list.addFirst(i);
                    count++;
                    break;
                case 1:
                    list.addLast(i);
                    count++;
                    break;
                case 2:
                    count -= list.pollFirst() == null ? 0 : 1;
                    break;
                default:
                    count -= list.pollLast() == null ? 0 : 1;
            }
            Sym.check(list.size() == count, "the size is right");
        }
        return count;
    }
}
