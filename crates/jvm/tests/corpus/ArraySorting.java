/** Sorting written by hand: insertion, quick, merge, heap. */
public class ArraySorting {
    static void insertion(int[] a) {
        for (int i = 1; i < a.length; i++) {
            int v = a[i];
            int j = i - 1;
            for (; j >= 0 && a[j] > v; j--) {
                a[j + 1] = a[j];
            }
            a[j + 1] = v;
        }
    }

    static void quick(int[] a, int lo, int hi) {
        if (lo >= hi) {
            return;
        }
        int pivot = a[(lo + hi) >>> 1];
        int i = lo;
        int j = hi;
        while (i <= j) {
            while (a[i] < pivot) {
                i++;
            }
            while (a[j] > pivot) {
                j--;
            }
            if (i <= j) {
                int t = a[i];
                a[i++] = a[j];
                a[j--] = t;
            }
        }
        quick(a, lo, j);
        quick(a, i, hi);
    }

    static long[] merged(long[] a) {
        if (a.length < 2) {
            return a;
        }
        int half = a.length / 2;
        long[] l = new long[half];
        long[] r = new long[a.length - half];
        System.arraycopy(a, 0, l, 0, half);
        System.arraycopy(a, half, r, 0, r.length);
        l = merged(l);
        r = merged(r);
        long[] out = new long[a.length];
        for (int i = 0, j = 0, k = 0; k < out.length; k++) {
            out[k] = j == r.length || i < l.length && l[i] <= r[j] ? l[i++] : r[j++];
        }
        return out;
    }

    static void heap(double[] a) {
        for (int end = a.length, start = a.length / 2; end > 1; ) {
            if (start > 0) {
                start--;
            } else {
                double t = a[--end];
                a[end] = a[0];
                a[0] = t;
            }
            for (int root = start, child; (child = 2 * root + 1) < end; root = child) {
                if (child + 1 < end && a[child] < a[child + 1]) {
                    child++;
                }
                if (!(a[root] < a[child])) {
                    break;
                }
                double t = a[root];
                a[root] = a[child];
                a[child] = t;
            }
        }
    }

    public static void main(String[] args) {
        int seed = 12345;
        int[] a = new int[30];
        int[] b = new int[30];
        long[] c = new long[30];
        double[] d = new double[30];
        for (int i = 0; i < 30; i++) {
            seed = seed * 1103515245 + 12345;
            a[i] = b[i] = seed >> 16;
            c[i] = (long) seed * seed;
            d[i] = seed / 1000.0;
        }
        insertion(a);
        quick(b, 0, b.length - 1);
        c = merged(c);
        heap(d);
        for (int i = 0; i < 30; i += 7) {
            System.out.println(a[i] + " " + b[i] + " " + c[i] + " " + d[i]);
        }
    }
}
