/** Variable arity: none, one, several, array, null. */
public class VarargsForms {
    static int count(Object... xs) {
        return xs == null ? -1 : xs.length;
    }

    static String join(String sep, int... xs) {
        StringBuilder sb = new StringBuilder();
        for (int i = 0; i < xs.length; i++) {
            if (i > 0) {
                sb.append(sep);
            }
            sb.append(xs[i]);
        }
        return sb.toString();
    }

    static long sum(long first, long... rest) {
        long s = first;
        for (long r : rest) {
            s += r;
        }
        return s;
    }

    @SafeVarargs
    static <T> T last(T... ts) {
        return ts[ts.length - 1];
    }

    public static void main(String... args) {
        System.out.println(count() + " " + count(1) + " " + count(1, "2") + " " + count((Object) null) + " " + count((Object[]) null) + " " + count(new Object[5]) + " " + count((Object) new Object[5]) + " " + count(new int[3]));
        System.out.println(join("-") + join("-", 1) + join("-", 1, 2, 3) + join("", new int[] {9, 9}));
        System.out.println(sum(1) + sum(1, 2) + sum(1, 2, 'a'));
        System.out.println(last("a", "b") + last(1, 2.5));
        System.out.println(java.util.Arrays.asList(3, 4, 5).size() + " " + args.length);
    }
}
