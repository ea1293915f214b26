// long a 9223372036854775800 9223372036854775807, int b -2 2
final class LongCompare {
    static int run(long a, int b) {
        int r = 0;
        if (a + b < 0) r += 1;
        if (a + b > a) r += 2;
        if (Long.compare(a, a + 3) > 0) r += 4;
        if ((int) a == -b) r += 8;
        if (a * 2 == b) r += 16;
        if (Long.MIN_VALUE - b > 0) r += 32;
        if (Long.compareUnsigned(a + b, Long.MAX_VALUE) > 0) r += 64;
        return r;
    }
}
