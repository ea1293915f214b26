import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Enumerations: next permutation, subsets by bits, combinations, Gray codes, partitions of sets. */
public class AlgoPermutations {
    static boolean next(int[] a) {
        int i = a.length - 2;
        while (i >= 0 && a[i] >= a[i + 1]) {
            i--;
        }
        if (i < 0) {
            return false;
        }
        int j = a.length - 1;
        while (a[j] <= a[i]) {
            j--;
        }
        int t = a[i];
        a[i] = a[j];
        a[j] = t;
        for (int l = i + 1, r = a.length - 1; l < r; l++, r--) {
            t = a[l];
            a[l] = a[r];
            a[r] = t;
        }
        return true;
    }

    static void choose(int n, int k, int from, List<Integer> so, List<List<Integer>> out) {
        if (so.size() == k) {
            out.add(new ArrayList<>(so));
            return;
        }
        for (int i = from; i < n; i++) {
            so.add(i);
            choose(n, k, i + 1, so, out);
            so.remove(so.size() - 1);
        }
    }

    static int bell(int n, int at, int blocks) {
        if (at == n) {
            return 1;
        }
        int c = bell(n, at + 1, blocks + 1);
        for (int b = 0; b < blocks; b++) {
            c += bell(n, at + 1, blocks);
        }
        return c;
    }

    public static void main(String[] args) {
        int[] a = {1, 2, 2, 3};
        int n = 0;
        do {
            n++;
            System.out.print(Arrays.toString(a).replaceAll("[^0-9]", "") + " ");
        } while (next(a));
        System.out.println(n);
        for (int mask = 0; mask < 8; mask++) {
            StringBuilder sb = new StringBuilder("{");
            for (int i = 0; i < 3; i++) {
                if ((mask >> i & 1) != 0) {
                    sb.append((char) ('a' + i));
                }
            }
            System.out.print(sb + "} ");
        }
        System.out.println();
        List<List<Integer>> out = new ArrayList<>();
        choose(5, 3, 0, new ArrayList<>(), out);
        System.out.println(out);
        for (int i = 0; i < 8; i++) {
            System.out.print(Integer.toBinaryString(8 | i ^ i >> 1).substring(1) + " ");
        }
        System.out.println(bell(6, 0, 0));
    }
}
