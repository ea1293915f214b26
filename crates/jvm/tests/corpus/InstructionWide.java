/** More than 256 local slots: wide loads, stores, increments; big steps. */
public class InstructionWide {
    public static void main(String[] args) {
        long a0 = 1, a1 = 2, a2 = 3, a3 = 4, a4 = 5, a5 = 6, a6 = 7, a7 = 8, a8 = 9, a9 = 10;
        long b0 = 1, b1 = 2, b2 = 3, b3 = 4, b4 = 5, b5 = 6, b6 = 7, b7 = 8, b8 = 9, b9 = 10;
        long c0 = 1, c1 = 2, c2 = 3, c3 = 4, c4 = 5, c5 = 6, c6 = 7, c7 = 8, c8 = 9, c9 = 10;
        long d0 = 1, d1 = 2, d2 = 3, d3 = 4, d4 = 5, d5 = 6, d6 = 7, d7 = 8, d8 = 9, d9 = 10;
        long e0 = 1, e1 = 2, e2 = 3, e3 = 4, e4 = 5, e5 = 6, e6 = 7, e7 = 8, e8 = 9, e9 = 10;
        double f0 = 1, f1 = 2, f2 = 3, f3 = 4, f4 = 5, f5 = 6, f6 = 7, f7 = 8, f8 = 9, f9 = 10;
        double g0 = 1, g1 = 2, g2 = 3, g3 = 4, g4 = 5, g5 = 6, g6 = 7, g7 = 8, g8 = 9, g9 = 10;
        double h0 = 1, h1 = 2, h2 = 3, h3 = 4, h4 = 5, h5 = 6, h6 = 7, h7 = 8, h8 = 9, h9 = 10;
        double i0 = 1, i1 = 2, i2 = 3, i3 = 4, i4 = 5, i5 = 6, i6 = 7, i7 = 8, i8 = 9, i9 = 10;
        double j0 = 1, j1 = 2, j2 = 3, j3 = 4, j4 = 5, j5 = 6, j6 = 7, j7 = 8, j8 = 9, j9 = 10;
        double k0 = 1, k1 = 2, k2 = 3, k3 = 4, k4 = 5, k5 = 6, k6 = 7, k7 = 8, k8 = 9, k9 = 10;
        double l0 = 1, l1 = 2, l2 = 3, l3 = 4, l4 = 5, l5 = 6, l6 = 7, l7 = 8, l8 = 9, l9 = 10;
        double m0 = 1, m1 = 2, m2 = 3, m3 = 4, m4 = 5, m5 = 6, m6 = 7, m7 = 8, m8 = 9, m9 = 10;
        int i = 5;
        long l = 1L << 40;
        float f = 2.5f;
        double d = 3.25;
        String s = "wide";
        i++;
        i += 1000;
        i -= 40000;
        l += i;
        f *= 2;
        d /= 2;
        s += i;
        int n = 0;
        for (int far = 0; far < 300; far += 100) {
            n += far;
        }
        System.out.println(i + " " + l + " " + f + " " + d + " " + s + " " + n);
        System.out.println(a0 + a9 + b5 + c4 + d3 + e2 + f1 + g0 + h9 + i8 + j7 + k6 + l5 + m9);
        int near = 0;
        near += 127;
        near += 128;
        near += 32767;
        near -= 32768;
        near += 32768;
        System.out.println(near);
        try {
            throw new RuntimeException("in a far slot");
        } catch (RuntimeException e) {
            System.out.println(e.getMessage());
        }
    }
}
