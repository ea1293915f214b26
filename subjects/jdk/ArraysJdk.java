import evergreen.Sym;
import java.util.Arrays;

/** Drives java.util.Arrays. */
public class ArraysJdk {
    private static int[] drawn(int n) {
        int[] a = new int[n];
        for (int i = 0; i < n; i++) {
            a[i] = Sym.anInt("a" + i);
        }
        return a;
    }

    private static void sorted(int n) {
        int[] a = drawn(n);
        long sum = 0;
        for (int v : a) {
            sum += v;
        }
        Arrays.sort(a);
        for (int i = 1; i < n; i++) {
            Sym.check(a[i - 1] <= a[i], "the array is sorted");
        }
        for (int v : a) {
            sum -= v;
        }
        Sym.check(sum == 0, "no element is lost");
    }

    public static void sort2() {
        sorted(2);
    }

    public static void sort3() {
        sorted(3);
    }

    public static void sort4() {
        sorted(4);
    }

    public static void sort5() {
        sorted(5);
    }

    public static boolean equals3() {
        return Arrays.equals(drawn(3), new int[] {1, 2, 3});
    }

    public static int binarySearch() {
        return Arrays.binarySearch(new int[] {2, 3, 5, 7, 11, 13}, Sym.anInt("key"));
    }

    /** Objects are sorted by another algorithm than ints. */
    public static void sortObjects3() {
        Integer[] a = new Integer[3];
        for (int i = 0; i < a.length; i++) {
            a[i] = Sym.anInt("a" + i);
        }
        Arrays.sort(a);
        for (int i = 1; i < a.length; i++) {
            Sym.check(a[i - 1] <= a[i], "the array is sorted");
        }
    }

    public static int hash2() {
        return Arrays.hashCode(drawn(2));
    }
}
