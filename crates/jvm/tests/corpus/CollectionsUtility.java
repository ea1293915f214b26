import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** java.util.Collections: sort, reverse, rotate, min, frequency, wrappers. */
public class CollectionsUtility {
    public static void main(String[] args) {
        List<Integer> l = new ArrayList<>(Arrays.asList(4, 8, 15, 16, 23, 42, 8));
        Collections.reverse(l);
        System.out.println(l);
        Collections.sort(l);
        System.out.println(l + " " + Collections.binarySearch(l, 16) + " " + Collections.binarySearch(l, 17));
        Collections.swap(l, 0, 6);
        Collections.rotate(l, 2);
        System.out.println(l + " " + Collections.max(l) + " " + Collections.min(l) + " " + Collections.frequency(l, 8));
        Collections.sort(l, Collections.reverseOrder());
        System.out.println(l + " " + Collections.max(l, (a, b) -> a % 10 - b % 10));
        System.out.println(Collections.nCopies(3, "ab") + " " + Collections.emptyList() + Collections.singletonList(1) + Collections.emptyMap());
        System.out.println(Collections.disjoint(l, List.of(1, 2)) + " " + Collections.indexOfSubList(l, List.of(8, 8)));
        List<Integer> ro = Collections.unmodifiableList(l);
        try {
            ro.set(0, 1);
        } catch (UnsupportedOperationException e) {
            System.out.println("read only " + ro.get(0));
        }
        Collections.fill(l, 7);
        Collections.addAll(l, 1, 2);
        Collections.replaceAll(l, 7, 0);
        System.out.println(l);
        l.sort(null);
        System.out.println(l);
        try {
            Collections.max(new ArrayList<Integer>());
        } catch (java.util.NoSuchElementException e) {
            System.out.println("empty");
        }
        System.out.println(Collections.synchronizedList(l).size());
    }
}
