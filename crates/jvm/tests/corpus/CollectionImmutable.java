import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Unmodifiable lists, sets and maps: of, copyOf, views. Order of Set.of is not relied on. */
public class CollectionImmutable {
    static void refuse(String what, Runnable r) {
        try {
            r.run();
            System.out.println(what + " allowed");
        } catch (UnsupportedOperationException e) {
            System.out.println(what + " refused");
        } catch (NullPointerException e) {
            System.out.println(what + " null");
        } catch (IllegalArgumentException e) {
            System.out.println(what + " illegal");
        }
    }

    public static void main(String[] args) {
        List<Integer> l = List.of(3, 1, 2);
        Set<String> s = Set.of("b", "a", "c");
        Map<String, Integer> m = Map.of("one", 1, "two", 2);
        System.out.println(l + " " + new TreeSet<>(s) + " " + m.get("two") + m.size() + " " + s.contains("c") + " " + l.contains(5) + " " + l.indexOf(2));
        refuse("set", () -> l.set(0, 1));
        refuse("remove", () -> s.remove("a"));
        refuse("put", () -> m.put("x", 1));
        refuse("sort", () -> l.sort(null));
        refuse("null", () -> List.of(1, null));
        refuse("contains null", () -> l.contains(null));
        refuse("twice", () -> Set.of(1, 1));
        List<Integer> base = new ArrayList<>(l);
        List<Integer> view = Collections.unmodifiableList(base);
        List<Integer> copy = List.copyOf(base);
        base.add(9);
        System.out.println(view + " " + copy + " " + (List.copyOf(copy) == copy) + " " + l.equals(copy) + " " + l.hashCode());
        System.out.println(List.of().equals(Collections.emptyList()) + " " + List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12).get(11) + " " + List.of(1).subList(0, 1) + " " + s.equals(Set.of("a", "b", "c")));
        System.out.println(Collections.unmodifiableMap(m).containsValue(1) + " " + Collections.emptySet().size() + " " + l.stream().toList());
    }
}
