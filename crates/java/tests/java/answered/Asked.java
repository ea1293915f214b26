/** Branches of two arms each: conditions that come twice, that others imply, that are infeasible, and bits. */
public class Asked {
    public static int twice(int x, int y) {
        int r = 0;
        if (x < y) r++;
        if (x < y) r++;
        return r;
    }

    public static int implied(int x, int y) {
        int r = 0;
        if (x > 3) r += 1;
        if (x > 1) r += 2;
        if (y == 7) r += 4;
        if (y > 9) r += 8;
        if (x > 3 && x < 2) r += 16;
        return r;
    }

    public static int bits(int x, int y) {
        int r = 0;
        if ((x & y) == 5) r += 1;
        if ((x & y) == 5) r += 2;
        if (x < 0) throw new IllegalStateException("small: " + r);
        if ((x ^ y) > 100) r += 4;
        return r;
    }
}
