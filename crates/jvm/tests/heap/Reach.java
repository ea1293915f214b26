import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Prints every structure of a collection that calls of add and remove lead to, as its private fields have it.
 *
 * <p>Arguments: the collection, how many elements it may have on the way, how many to print, and for each class its name, the fields that lead on, the
 * other fields to print, and those that must be null: {@code java.util.TreeMap=root/size/comparator,values}.
 */
public class Reach {
    private static final Map<String, String[][]> CLASSES = new HashMap<>();

    public static void main(String[] args) throws Exception {
        int most = Integer.parseInt(args[1]);
        int printed = Integer.parseInt(args[2]);
        for (String given : Arrays.asList(args).subList(3, args.length)) {
            String[] named = given.split("=", 2);
            String[] lists = named[1].split("/", -1);
            String[][] fields = new String[3][];
            for (int i = 0; i < 3; i++) {
                fields[i] = lists[i].isEmpty() ? new String[0] : lists[i].split(",");
            }
            CLASSES.put(named[0], fields);
        }
        // Structures by how they look, with calls that lead there: positions to add at, or -1 and down to remove from.
        Map<String, List<Integer>> found = new TreeMap<>();
        ArrayDeque<List<Integer>> open = new ArrayDeque<>();
        open.add(new ArrayList<>());
        while (!open.isEmpty()) {
            List<Integer> calls = open.remove();
            Made made = new Made(args[0]);
            calls.forEach(made::call);
            String look = look(made.collection);
            if (found.putIfAbsent(look, calls) != null) {
                continue;
            }
            int size = made.keys.size();
            if (size <= printed) {
                System.out.println(look);
            }
            for (int at = 0; size < most && at <= size; at++) {
                open.add(with(calls, at));
            }
            for (int at = 0; at < size; at++) {
                open.add(with(calls, -1 - at));
            }
        }
    }

    private static List<Integer> with(List<Integer> calls, int call) {
        List<Integer> more = new ArrayList<>(calls);
        more.add(call);
        return more;
    }

    /** A collection and what is in it, in order; between two doubles there is another one. */
    private static final class Made {
        final Object collection;
        final ArrayList<Double> keys = new ArrayList<>();

        Made(String name) {
            collection = switch (name) {
                case "TreeMap" -> new TreeMap<Double, Integer>();
                case "TreeSet" -> new TreeSet<Double>();
                default -> new LinkedList<Double>();
            };
        }

        @SuppressWarnings("unchecked")
        void call(int call) {
            if (call >= 0) {
                double below = call == 0 ? -1e9 : keys.get(call - 1);
                double above = call == keys.size() ? 1e9 : keys.get(call);
                double key = (below + above) / 2;
                keys.add(call, key);
                if (collection instanceof TreeMap<?, ?> map) {
                    ((TreeMap<Double, Integer>) map).put(key, call);
                } else if (collection instanceof TreeSet<?> set) {
                    ((TreeSet<Double>) set).add(key);
                } else {
                    ((LinkedList<Double>) collection).add(call, key);
                }
                return;
            }
            double key = keys.remove(-1 - call);
            if (collection instanceof TreeMap<?, ?> map) {
                map.remove(key);
            } else if (collection instanceof TreeSet<?> set) {
                set.remove(key);
            } else {
                ((LinkedList<?>) collection).remove(-1 - call);
            }
        }
    }

    /** All objects in breadth-first order, one after the other. */
    private static String look(Object root) throws Exception {
        List<Object> order = new ArrayList<>(List.of(root));
        for (int at = 0; at < order.size(); at++) {
            for (String name : fieldsOf(order.get(at))[0]) {
                Object next = get(order.get(at), name);
                if (next != null && place(order, next) < 0) {
                    order.add(next);
                }
            }
        }
        StringBuilder text = new StringBuilder();
        for (Object object : order) {
            for (int kind = 0; kind < 2; kind++) {
                for (String name : fieldsOf(object)[kind]) {
                    Object value = get(object, name);
                    String shown;
                    if (value == null) {
                        shown = "null";
                    } else if (value instanceof Boolean is) {
                        shown = is ? "1" : "0";
                    } else if (value instanceof Integer) {
                        shown = value.toString();
                    } else {
                        shown = "@" + place(order, value);
                    }
                    text.append(name).append('=').append(shown).append(' ');
                }
            }
            for (String name : fieldsOf(object)[2]) {
                if (get(object, name) != null) {
                    throw new IllegalStateException(name + " is not null");
                }
            }
            text.append("; ");
        }
        return text.toString().trim();
    }

    private static int place(List<Object> order, Object object) {
        for (int i = 0; i < order.size(); i++) {
            if (order.get(i) == object) {
                return i;
            }
        }
        return -1;
    }

    private static String[][] fieldsOf(Object object) {
        return CLASSES.get(object.getClass().getName());
    }

    private static Object get(Object object, String name) throws Exception {
        for (Class<?> in = object.getClass(); in != null; in = in.getSuperclass()) {
            for (Field field : in.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    field.setAccessible(true);
                    return field.get(object);
                }
            }
        }
        throw new NoSuchFieldException(name);
    }
}
