import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Hash codes that the library specifies: they must come out exactly. */
public class HashCodesStable {
    enum E { A }

    public static void main(String[] args) {
        System.out.println("".hashCode() + " " + "a".hashCode() + " " + "polygenelubricants".hashCode() + " " + "\u4e2d\u6587".hashCode());
        System.out.println(Integer.valueOf(-7).hashCode() + " " + Long.valueOf(-7).hashCode() + " " + Long.valueOf(1L << 33 | 5).hashCode() + " " + Double.valueOf(1.1).hashCode() + " " + Float.valueOf(-2f).hashCode());
        System.out.println(Boolean.hashCode(true) + " " + Boolean.hashCode(false) + " " + Character.hashCode('c') + " " + Byte.hashCode((byte) -1) + " " + Short.hashCode((short) 9));
        System.out.println(List.of(1, 2, 3).hashCode() + " " + List.of().hashCode() + " " + Arrays.asList("a", null).hashCode() + " " + Set.of(1, 2, 3).hashCode());
        System.out.println(Map.of("k", 1).hashCode() + " " + new HashMap<>(Map.of("a", "b", "c", "d")).hashCode() + " " + Map.entry("x", "y").hashCode());
        System.out.println(Objects.hash() + " " + Objects.hash(1) + " " + Objects.hash(1, null, "z") + " " + Arrays.hashCode(new int[] {1, 2}) + " " + Arrays.hashCode(new boolean[] {true}) + " " + Arrays.hashCode(new double[] {0.5}));
        System.out.println((E.A.hashCode() == E.A.hashCode()) + " " + "Ab".hashCode() % 10 + " " + ("FB".hashCode() == "Ea".hashCode()));
        int h = 0;
        for (int i = 0; i < 50; i++) {
            h = 31 * h + ("key" + i).hashCode();
        }
        System.out.println(h + " " + (h >>> 16 ^ h) + " " + new StringBuilder("FB").toString().hashCode());
        System.out.println(java.util.Optional.of(5).hashCode() + " " + java.util.Optional.empty().hashCode() + " " + new java.util.BitSet().hashCode());
    }
}
