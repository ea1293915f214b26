import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.ListIterator;

/** ListIterator in both directions, with add, set and remove. */
public class CollectionListIterators {
    static void drive(List<String> l) {
        ListIterator<String> it = l.listIterator();
        while (it.hasNext()) {
            int i = it.nextIndex();
            String s = it.next();
            if (s.equals("b")) {
                it.remove();
            } else if (s.equals("c")) {
                it.set("C" + i);
                it.add("after");
            }
        }
        System.out.println(l);
        StringBuilder sb = new StringBuilder();
        while (it.hasPrevious()) {
            sb.append(it.previousIndex()).append(it.previous());
        }
        System.out.println(sb);
        ListIterator<String> mid = l.listIterator(2);
        mid.add("mid");
        System.out.println(l + " " + mid.next() + mid.previous() + mid.previous());
        mid.remove();
        try {
            mid.remove();
        } catch (IllegalStateException e) {
            System.out.println("once");
        }
        try {
            mid.set("x");
        } catch (IllegalStateException e) {
            System.out.println("not after remove");
        }
        try {
            l.listIterator(99);
        } catch (IndexOutOfBoundsException e) {
            System.out.println("bounds");
        }
    }

    public static void main(String[] args) {
        drive(new ArrayList<>(List.of("a", "b", "c", "d")));
        drive(new LinkedList<>(List.of("a", "b", "c", "d")));
    }
}
