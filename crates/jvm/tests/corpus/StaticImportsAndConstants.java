import static java.lang.Math.abs;
import static java.lang.Math.max;
import static java.util.Map.entry;

import java.util.Map;
import java.util.TreeMap;

/** Static imports, Map.entry, Map.ofEntries, constants of wrapper classes. */
public class StaticImportsAndConstants {
    public static void main(String[] args) {
        System.out.println(max(abs(-4), 3) + Integer.MAX_VALUE + " " + Long.MIN_VALUE + " " + Byte.MIN_VALUE + Short.MAX_VALUE);
        System.out.println(Integer.SIZE + Long.BYTES + Character.BYTES + Double.SIZE + " " + Double.MAX_EXPONENT + " " + Float.MIN_EXPONENT);
        Map<String, Integer> m = new TreeMap<>(Map.ofEntries(entry("b", 2), entry("a", 1)));
        System.out.println(m + " " + entry("k", "v") + " " + entry(1, 2).equals(Map.entry(1, 2)));
        System.out.println(Map.of("only", 1) + " " + Map.of().size() + " " + Map.of("x", 1, "y", 2).get("y"));
        try {
            Map.of("d", 1, "d", 2);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Map<String, Integer> copy = Map.copyOf(m);
        m.put("c", 3);
        System.out.println(copy.size() + " " + copy.containsKey("c") + " " + (long) (Math.PI * 1e15) + " " + (long) (Math.E * 1e15));
        try {
            copy.put("z", 0);
        } catch (UnsupportedOperationException e) {
            System.out.println("copy is fixed");
        }
        System.out.println(Character.MAX_RADIX + " " + Boolean.TRUE + Boolean.FALSE.toString() + " " + Void.TYPE);
    }
}
