import evergreen.Sym;
import java.util.ArrayDeque;

/** Drives java.util.ArrayDeque. */
public class ArrayDequeJdk {
    /** Four operations at either end of a deque that must grow. */
    public static int operations4() {
        ArrayDeque<Integer> deque = new ArrayDeque<>(1);
        int count = 0;
        for (int i = 0; i < 4; i++) {
            switch (Sym.choose(4)) {
                case 0:
                    deque.addFirst(i);
                    count++;
                    break;
                case 1:
                    deque.addLast(i);
                    count++;
                    break;
                case 2:
                    count -= deque.pollFirst() == null ? 0 : 1;
                    break;
                default:
                    count -= deque.pollLast() == null ? 0 : 1;
            }
            Sym.check(deque.size() == count, "the size is right");
        }
        return count;
    }

    public static boolean removeFirstOccurrence() {
        ArrayDeque<Integer> deque = new ArrayDeque<>();
        for (int i = 0; i < 3; i++) {
            deque.add(Sym.anInt("e" + i));
        }
        int gone = Sym.anInt("gone");
        boolean was = deque.contains(gone);
        Sym.check(deque.removeFirstOccurrence(gone) == was, "what is there can be removed");
        return was;
    }
}
