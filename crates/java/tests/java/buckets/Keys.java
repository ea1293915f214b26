package buckets;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Hash maps with keys that are inputs. */
public class Keys {
    public static int two(int a, int b) {
        Map<Integer, Integer> m = new HashMap<>();
        m.put(a, 1);
        m.put(b, 2);
        return m.get(a) + m.size();
    }

    public static int three(int a, int b, int c) {
        Map<Integer, Integer> m = new HashMap<>();
        m.put(a, 1);
        m.put(b, 2);
        m.put(c, 3);
        return m.get(a) + m.size();
    }

    public static int longs(long a, long b) {
        Map<Long, String> m = new HashMap<>();
        m.put(a, "x");
        return m.containsKey(b) ? 1 : m.getOrDefault(b + 1, "y").length();
    }

    public static int letters(char a, char b) {
        Set<Character> s = new HashSet<>();
        s.add(a);
        return s.add(b) ? s.size() : -1;
    }

    public static String texts(String a, String b) {
        if (a == null || b == null || a.length() != 1 || b.length() != 1) {
            return "";
        }
        Map<String, Integer> m = new LinkedHashMap<>();
        m.put(a, 1);
        m.merge(b, 5, Integer::sum);
        return m.size() == 1 ? "same" : "two";
    }

    public static int removed(int a, int b) {
        Map<Integer, Integer> m = new HashMap<>();
        m.put(a, 1);
        m.put(7, 2);
        m.remove(b);
        m.put(b, 9);
        return m.containsKey(a) ? m.get(b) : -1;
    }

    public static String linked(int a, int b) {
        if (a < 0 || a > 9 || b < 0 || b > 9) {
            return "";
        }
        Map<Integer, Integer> m = new LinkedHashMap<>();
        m.put(a, 1);
        m.put(b, 2);
        StringBuilder text = new StringBuilder();
        for (Map.Entry<Integer, Integer> each : m.entrySet()) {
            text.append(each.getKey() > 4 ? "+" : "-").append(each.getValue());
        }
        return text.toString();
    }

    /** The order is that of the table. */
    public static String ordered(int a, int b) {
        if (a < 0 || a > 40 || b < 14 || b > 18) {
            return "";
        }
        Map<Integer, Integer> m = new HashMap<>();
        m.put(a, 1);
        m.put(b, 2);
        m.put(16, 3);
        StringBuilder text = new StringBuilder();
        for (int each : m.values()) {
            text.append(each);
        }
        return text.toString();
    }

    /** More than the first table holds: it grows, and all keys are placed again. */
    public static String grown(int a) {
        if (a < 0 || a > 30) {
            return "";
        }
        Map<Integer, Integer> m = new HashMap<>();
        m.put(a, 100);
        for (int i = 0; i < 14; i++) {
            m.put(2 * i, i);
        }
        return m.toString();
    }
}
