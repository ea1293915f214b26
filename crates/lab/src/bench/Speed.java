/** What `evergreen-lab bench explore` runs. */
public class Speed {
    private int field;

    /** Concrete: a loop over ints. */
    public static int loop(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += i ^ (sum << 1);
        }
        return sum;
    }

    private int step(int[] cells, int i) {
        field += cells[i & 15];
        cells[i & 15] = field;
        return field;
    }

    /** Concrete: calls, fields and arrays. */
    public static int calls(int n) {
        Speed speed = new Speed();
        int[] cells = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
        int last = 0;
        for (int i = 0; i < n; i++) {
            last = speed.step(cells, i);
        }
        return last;
    }

    /** Symbolic values that no branch looks at. */
    public static int straight(int x, int y, int n) {
        int a = x;
        int b = y;
        for (int i = 0; i < n; i++) {
            int t = a + b;
            b = a - 3;
            a = t - b;
            if ((i & 7) == 7) {
                a = x + i;
                b = y - i;
            }
        }
        return a + b;
    }

    /** 2^16 paths of independent branches. */
    public static int forks(
            boolean a, boolean b, boolean c, boolean d, boolean e, boolean f, boolean g, boolean h,
            boolean i, boolean j, boolean k, boolean l, boolean m, boolean n, boolean o, boolean p) {
        int count = 0;
        if (a) count++;
        if (b) count++;
        if (c) count++;
        if (d) count++;
        if (e) count++;
        if (f) count++;
        if (g) count++;
        if (h) count++;
        if (i) count++;
        if (j) count++;
        if (k) count++;
        if (l) count++;
        if (m) count++;
        if (n) count++;
        if (o) count++;
        if (p) count++;
        return count;
    }
}
