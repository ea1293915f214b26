package made;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** Maps and iterators as parameters. */
public final class Maps {
    private Maps() {}

    /** A constant. */
    public enum Color {
        RED,
        GREEN
    }

    public static int get(Map<String, Integer> prices) {
        Integer price = prices.get("te");
        return price == null ? -1 : price > 100 ? 2 : 1;
    }

    public static int sum(Map<Integer, Integer> counts) {
        int sum = 0;
        for (Map.Entry<Integer, Integer> entry : counts.entrySet()) {
            if (entry.getKey() > 3 && entry.getValue() != null) {
                sum += entry.getValue();
            }
        }
        return sum;
    }

    public static int ordered(TreeMap<Integer, String> names) {
        int before = Integer.MIN_VALUE;
        for (Integer key : names.keySet()) {
            if (key < before) {
                return -1;
            }
            before = key;
        }
        return names.size();
    }

    public static boolean linked(LinkedHashMap<Boolean, Boolean> all) {
        for (Map.Entry<Boolean, Boolean> entry : all.entrySet()) {
            return entry.getKey() != null && entry.getKey();
        }
        return false;
    }

    public static String colors(Map<Color, String> names) {
        return names.containsKey(Color.GREEN) ? "green" : names.isEmpty() ? "none" : "other";
    }

    public static int unknown(Map<int[], Integer> all) {
        return all == null ? 0 : all.size();
    }

    public static int iterated(Iterator<Integer> numbers) {
        int sum = 0;
        while (numbers.hasNext()) {
            Integer next = numbers.next();
            sum += next == null ? 1 : 0;
        }
        return sum;
    }
}
