// int a -3 3, int b 0 3
final class Floats {
    static int run(int a, int b) {
        float d = b == 0 ? a * Float.NaN : b == 1 ? a * 3e38f : a * -0.25f;
        int r = 0;
        if (Float.isNaN(d)) r += 1;
        if (d > 3.2e38f) r += 2;
        if (d == 0.0f) r += 4;
        if ((int) d == Integer.MIN_VALUE) r += 16;
        float f = a * 0.1f;
        if (f > 0.2f) r += 32;
        if (!(d < 1)) r += 64;
        if (d != d) r += 128;
        return r + (int) (f * 10);
    }
}
