// int a 120 140, int b -3 3
final class Narrow {
    static int run(int a, int b) {
        byte x = (byte) a; x += b; x++; x *= 2;
        short s = (short) (a * 260); s -= b; s >>= 1;
        char c = (char) (b - 1); c++; c >>>= 1;
        byte[] bs = {1, 2, 3}; bs[1] += a; bs[(b & 1) + 1] ^= a;
        char[] cs = {'a', 'b'}; cs[b & 1] -= 100; cs[0] += b;
        short[] ss = new short[3]; ss[2] = (short) (a << 9); ss[2]++;
        boolean[] zs = new boolean[2]; zs[b & 1] = x > 3; zs[1] ^= c > 9;
        int r = x + s + c;
        if (bs[1] < 0) r += 1;
        if (bs[2] == 3) r += 2;
        if (cs[0] > 60000) r += 4;
        if (ss[2] < 0) r += 8;
        if (zs[0] && !zs[1]) r += 16;
        if (x >>> 1 > 1000) r += 32;
        return r;
    }
}
