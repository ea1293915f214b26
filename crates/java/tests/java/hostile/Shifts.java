// int a -3 34, long b -2 2
final class Shifts {
    static int run(int a, long b) {
        int r = 0;
        if ((1 << a) == 4) r += 1;
        if ((1 << a) < 0) r += 2;
        if ((-8 >> a) == -1) r += 4;
        if ((-1 >>> a) == 1) r += 8;
        if ((b << a) == -4L) r += 16;
        if ((b >>> 63) == 1L) r += 32;
        if ((b >>> a) > 5L) r += 64;
        if ((a << 31) < 0) r += 128;
        if ((int) (b >> 1) == -1) r += 256;
        return r;
    }
}
