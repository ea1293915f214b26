package made;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Parameters that hold others. */
public class Holders {
    public static int large(List<Integer> numbers) {
        int large = 0;
        for (int number : numbers) if (number > 5) large++;
        return large;
    }

    /** What the method does to a list is not what it is given. */
    public static int clear(Collection<Makers.Color> colors) {
        int size = colors.size();
        colors.clear();
        return size > 1 ? 1 : 0;
    }

    public static boolean first(Set<Integer> numbers) {
        return !numbers.isEmpty() && numbers.iterator().next() == 3;
    }

    public static int text(Optional<String> text) {
        return text.map(String::length).orElse(-1) == 2 ? 1 : 0;
    }

    public static int sum(int[][] rows) {
        int sum = 0;
        for (int[] row : rows) {
            if (row.length > 1) sum += row[1] > 4 ? 1 : 0;
            row[0] = 9;
        }
        return sum;
    }

    public static int ranges(Makers.Range[] ranges) {
        return ranges[0].low() > 3 ? 1 : 0;
    }

    public static <T extends Comparable<T>> int order(List<T> all) {
        return all.size() < 2 ? 0 : all.get(0).compareTo(all.get(1));
    }

    public static int anything(Object o) {
        if (o instanceof String) return ((String) o).length() == 2 ? 1 : 2;
        if (o instanceof Integer) return (Integer) o == 7 ? 3 : 4;
        return o == null ? 5 : 6;
    }

    /** Only its size is looked at. */
    public static int table(Map<String, Integer> table) {
        return table == null ? 0 : table.size();
    }
}
