import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.TreeMap;

/** Sequenced collections: first, last, reversed views. */
public class SequencedCollections {
    public static void main(String[] args) {
        List<Integer> l = new ArrayList<>(List.of(1, 2, 3));
        l.addFirst(0);
        l.addLast(4);
        System.out.println(l + " " + l.getFirst() + l.getLast() + " " + l.reversed() + l.removeFirst() + l.removeLast());
        List<Integer> r = l.reversed();
        r.add(99);
        System.out.println(l + " " + r);
        LinkedHashSet<String> s = new LinkedHashSet<>(List.of("x", "y", "z"));
        s.addFirst("z");
        System.out.println(s + " " + s.reversed() + s.getLast());
        LinkedHashMap<String, Integer> m = new LinkedHashMap<>();
        m.put("a", 1);
        m.putFirst("b", 2);
        System.out.println(m + " " + m.firstEntry() + m.pollLastEntry() + m.reversed() + m.sequencedKeySet());
        System.out.println(new ArrayDeque<>(List.of(5, 6)).reversed() + " " + new TreeMap<>(java.util.Map.of(1, 2, 3, 4)).reversed());
        try {
            new ArrayList<>().getFirst();
        } catch (NoSuchElementException e) {
            System.out.println("empty");
        }
    }
}
