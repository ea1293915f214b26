import evergreen.Sym;
import java.util.PriorityQueue;

/** Drives java.util.PriorityQueue. */
public class PriorityQueueJdk {
    private static void sorted(int n) {
        PriorityQueue<Integer> queue = new PriorityQueue<>();
        for (int i = 0; i < n; i++) {
            queue.add(Sym.anInt("e" + i));
        }
        int last = queue.remove();
        while (!queue.isEmpty()) {
            int next = queue.remove();
            Sym.check(last <= next, "elements come out in order");
            last = next;
        }
    }

    public static void sorted2() {
        sorted(2);
    }

    public static void sorted3() {
        sorted(3);
    }

    public static void sorted4() {
        sorted(4);
    }

    public static boolean removeAny() {
        PriorityQueue<Integer> queue = new PriorityQueue<>();
        for (int i = 0; i < 3; i++) {
            queue.add(Sym.anInt("e" + i));
        }
        return queue.remove((Object) Sym.anInt("gone"));
    }
}
