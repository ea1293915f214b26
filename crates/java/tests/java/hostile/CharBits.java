// char a 65500 65535, short b -32768 -32764
final class CharBits {
    static int run(char a, short b) {
        int r = 0;
        if ((short) a == -1) r += 1;
        if ((byte) a > 0) r += 2;
        if ((char) b == 32770) r += 4;
        if ((a ^ b) < -1) r += 8;
        if ((a & 7) == (b & 7)) r += 16;
        if ((a | b) == -1) r += 32;
        if (~a == b - 32768) r += 64;
        if ((a << 16) < 0) r += 128;
        return r;
    }
}
