package buckets;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Maps with known texts as keys, asked for a text of the input. */
public class Known {
    private static final Map<String, Integer> CODES = new HashMap<>();
    private static final ConcurrentMap<String, Integer> SHARED = new ConcurrentHashMap<>();
    private static final Map<Object, Integer> MIXED = new HashMap<>();

    static {
        String[] names = {"red", "green", "blue", "Aa", "BB"};
        for (int i = 0; i < names.length; i++) {
            CODES.put(names[i], i);
            SHARED.put(names[i], i);
        }
        for (int i = 0; i < 200; i++) {
            SHARED.put("a long name with the number " + i, i);
        }
        MIXED.put(null, 1);
        MIXED.put(7, 2);
        MIXED.put("seven", 3);
    }

    public static int code(String name) {
        Integer code = CODES.get(name);
        return code == null ? -1 : code;
    }

    public static boolean isShort(String name) {
        return name != null && name.length() < 4 && SHARED.containsKey(name);
    }

    public static int mixed(String name) {
        return MIXED.getOrDefault(name, 0);
    }

    public static int counted(long a, long b) {
        ConcurrentMap<Long, Integer> counts = new ConcurrentHashMap<>();
        counts.merge(a, 1, Integer::sum);
        counts.merge(b, 1, Integer::sum);
        counts.remove(3L);
        return counts.getOrDefault(a, 0);
    }
}
