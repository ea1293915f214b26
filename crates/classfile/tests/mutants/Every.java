/** Every instruction that has mutants, and some that have none. */
public class Every {
    static boolean flag;
    static long total;

    static int relations(int x, int y) {
        int n = 0;
        if (x == y) n++;
        if (x != y) n++;
        if (x < y) n++;
        if (x >= y) n++;
        if (x > y) n++;
        if (x <= y) n--;
        if (x == 0) n += 2;
        if (x != 0) n += 300;
        if (x < 0) n++;
        if (x >= 0) n++;
        if (x > 0) n++;
        if (x <= 0) n++;
        return n;
    }

    static boolean references(Object a, Object b) {
        return a == b || a != null && b == null;
    }

    static int ints(int x, int y) {
        return -(x + y - x * y / 3 % 7) << 2 >> 1 >>> 1 & 255 | x ^ y;
    }

    static long longs(long x, long y) {
        return -(x + y - x * y / 3L % 7L) << 2 >> 1 >>> 1 & 255L | x ^ y;
    }

    static float floats(float x, float y) {
        return -(x + y - x * y / 2f % 1f + 0f + 12.5f);
    }

    static double doubles(double x, double y) {
        return -(x + y - x * y / 1d % 0d + 12.5);
    }

    static int constants() {
        int small = -1 + 5;
        int bytes = 100 + 127 + -128;
        int shorts = 1000 + 32767;
        int large = 100000;
        long zero = 0L;
        long one = 1L;
        long many = 10000000000L;
        flag = true;
        total = zero + one + many;
        return small + bytes + shorts + large;
    }

    static int choose(boolean b) {
        assert b;
        return b ? 10 : 20;
    }

    static boolean both(boolean a, boolean b) {
        return a && b;
    }

    static Runnable lambda(int x) {
        return () -> total = x + 1;
    }
}
