import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** java.util.Arrays over objects: stable sort, comparators, asList writes through. */
public class ArraysObjects {
    public static void main(String[] args) {
        String[] w = {"pear", "Fig", "apple", "kiwi", "Banana", "date"};
        String[] v = w.clone();
        Arrays.sort(v);
        System.out.println(Arrays.toString(v));
        Arrays.sort(v, Comparator.comparing(String::length));
        System.out.println(Arrays.toString(v));
        Arrays.sort(v, String.CASE_INSENSITIVE_ORDER.reversed());
        System.out.println(Arrays.toString(v));
        List<String> view = Arrays.asList(w);
        view.set(0, "plum");
        System.out.println(w[0] + view.indexOf("kiwi"));
        try {
            view.add("no");
        } catch (UnsupportedOperationException e) {
            System.out.println("fixed size");
        }
        Integer[] is = new Integer[70];
        for (int i = 0; i < is.length; i++) {
            is[i] = (i * 37) % 71;
        }
        Arrays.sort(is, (a, b) -> Integer.compare(a % 10, b % 10));
        System.out.println(Arrays.toString(is));
        Arrays.sort(is, 10, 40);
        System.out.println(is[10] + " " + is[39] + " " + is[40]);
        Object[] mixed = {1, "x"};
        try {
            Arrays.sort(mixed);
        } catch (ClassCastException e) {
            System.out.println("cannot compare");
        }
        System.out.println(Arrays.asList(1, null, 3).hashCode() + " " + Arrays.hashCode(new Object[] {1, null, 3}) + " " + Arrays.equals(new Object[] {"a"}, new Object[] {"a"}));
        System.out.println(Arrays.binarySearch(new String[] {"a", "c", "e"}, "d"));
    }
}
