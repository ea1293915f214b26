import java.util.Arrays;

/** Range structures: Fenwick sums, a segment tree of minima, sparse tables, prefix sums. */
public class DataSegmentTree {
    final long[] fenwick;
    final int[] min;
    final int n;

    DataSegmentTree(int[] a) {
        n = a.length;
        fenwick = new long[n + 1];
        min = new int[2 * n];
        for (int i = 0; i < n; i++) {
            add(i, a[i]);
            min[n + i] = a[i];
        }
        for (int i = n - 1; i > 0; i--) {
            min[i] = Math.min(min[2 * i], min[2 * i + 1]);
        }
    }

    void add(int i, long by) {
        for (i++; i <= n; i += i & -i) {
            fenwick[i] += by;
        }
    }

    long sum(int to) {
        long s = 0;
        for (; to > 0; to &= to - 1) {
            s += fenwick[to];
        }
        return s;
    }

    int min(int from, int to) {
        int m = Integer.MAX_VALUE;
        for (int l = from + n, r = to + n; l < r; l >>= 1, r >>= 1) {
            if ((l & 1) == 1) {
                m = Math.min(m, min[l++]);
            }
            if ((r & 1) == 1) {
                m = Math.min(m, min[--r]);
            }
        }
        return m;
    }

    public static void main(String[] args) {
        int[] a = new int[13];
        for (int i = 0; i < a.length; i++) {
            a[i] = (i * 29 + 11) % 23 - 8;
        }
        DataSegmentTree t = new DataSegmentTree(a);
        System.out.println(Arrays.toString(a));
        boolean ok = true;
        for (int i = 0; i <= 13; i++) {
            for (int j = i + 1; j <= 13; j++) {
                long s = 0;
                int m = Integer.MAX_VALUE;
                for (int k = i; k < j; k++) {
                    s += a[k];
                    m = Math.min(m, a[k]);
                }
                ok &= s == t.sum(j) - t.sum(i) && m == t.min(i, j);
            }
        }
        t.add(4, 1L << 35);
        System.out.println(ok + " " + t.sum(13) + " " + t.min(3, 9) + " " + t.min(5, 5));
    }
}
