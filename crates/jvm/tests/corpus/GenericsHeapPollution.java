import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Where erased generics fail: casts appear at the use, not at the cause. */
public class GenericsHeapPollution {
    @SuppressWarnings("unchecked")
    static <T> T cast(Object o) {
        return (T) o;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    static List<String> pollute(List list) {
        list.add(42);
        return list;
    }

    @SafeVarargs
    static <T> T[] array(T... ts) {
        return ts;
    }

    static <T> T[] two(T a, T b) {
        return array(a, b);
    }

    static <T extends Comparable<T>> T best(List<T> l) {
        T m = null;
        for (T t : l) {
            if (m == null || t.compareTo(m) > 0) {
                m = t;
            }
        }
        return m;
    }

    public static void main(String[] args) {
        List<String> l = pollute(new ArrayList<>(List.of("a")));
        System.out.println(l.size() + " " + l);
        Object fine = l.get(1);
        System.out.println(fine);
        try {
            String s = l.get(1);
            System.out.println(s);
        } catch (ClassCastException e) {
            System.out.println("cast at the use");
        }
        Object ok = GenericsHeapPollution.<String>cast(5);
        System.out.println(ok);
        try {
            String bad = cast(5);
            System.out.println(bad);
        } catch (ClassCastException e) {
            System.out.println("cast at the assignment");
        }
        try {
            String[] ss = two("x", "y");
            System.out.println(ss.length);
        } catch (ClassCastException e) {
            System.out.println("an array of the erasure");
        }
        System.out.println(array("p", "q").getClass().getSimpleName() + " " + best(Arrays.asList(3, 9, 4)) + best(List.of("k", "b")));
        try {
            int n = best(cast(List.of("z", "w")));
            System.out.println(n);
        } catch (ClassCastException e) {
            System.out.println("not an Integer");
        }
        System.out.println(new ArrayList<String>().getClass() == new ArrayList<Integer>().getClass());
    }
}
