import java.util.Arrays;

/** java.util.Arrays over primitives: fill, sort, search, compare, copy, hash, print. */
public class ArraysUtility {
    public static void main(String[] args) {
        int[] a = {5, 3, 9, -1, 3};
        int[] s = a.clone();
        Arrays.sort(s);
        System.out.println(Arrays.toString(a) + Arrays.toString(s) + Arrays.binarySearch(s, 9) + Arrays.binarySearch(s, 4) + Arrays.toString((int[]) null));
        System.out.println(Arrays.toString(Arrays.copyOf(a, 7)) + Arrays.toString(Arrays.copyOf(a, 2)) + Arrays.toString(Arrays.copyOfRange(a, 1, 3)));
        long[] l = new long[3];
        Arrays.fill(l, 8L);
        Arrays.fill(l, 1, 2, -1L);
        System.out.println(Arrays.toString(l) + Arrays.hashCode(l));
        System.out.println(Arrays.equals(a, s) + " " + Arrays.equals(new char[] {'x'}, new char[] {'x'}) + " " + Arrays.compare(a, s) + " " + Arrays.mismatch(a, s));
        double[] d = {0.0, -0.0, Double.NaN, -1, Double.NEGATIVE_INFINITY};
        Arrays.sort(d);
        System.out.println(Arrays.toString(d));
        byte[] b = {3, -128, 127, 0};
        Arrays.sort(b);
        System.out.println(Arrays.toString(b));
        char[] c = "sorting".toCharArray();
        Arrays.sort(c, 1, 5);
        System.out.println(c);
        int[][] deep = {{1, 2}, {3}};
        System.out.println(Arrays.deepToString(deep) + Arrays.deepEquals(deep, new int[][] {{1, 2}, {3}}) + Arrays.deepHashCode(deep));
        int[] big = new int[300];
        for (int i = 0; i < big.length; i++) {
            big[i] = (i * 7919) % 1009;
        }
        Arrays.sort(big);
        boolean ok = true;
        for (int i = 1; i < big.length; i++) {
            ok &= big[i - 1] <= big[i];
        }
        System.out.println(ok + " " + big[0] + " " + big[299]);
        int[] squares = new int[6];
        Arrays.setAll(squares, i -> i * i);
        System.out.println(Arrays.stream(squares).sum() + Arrays.toString(squares));
        try {
            Arrays.copyOfRange(a, 3, 2);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            Arrays.fill(a, 2, 9, 0);
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
