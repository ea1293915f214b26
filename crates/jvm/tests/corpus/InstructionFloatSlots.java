/** float and double in the first local slots, and the arithmetic that constants would fold away. */
public class InstructionFloatSlots {
    static float f0(float a, float b) {
        a = a - b;
        b = a % b;
        float c = -a;
        c = c * b;
        return c / a;
    }

    static double d0(double a, double b) {
        a = a - b;
        b = a % b;
        double c = -a;
        return c * b / a;
    }

    static float f1(int x, float a, float b) {
        a -= x;
        b %= a;
        return a + b;
    }

    static double d1(int x, double a, double b) {
        a -= x;
        b %= a;
        return a + b;
    }

    static long l0(long a, long b) {
        a = -a & b;
        b = a | 5;
        a = (a ^ b) >> 2;
        return a / b + a % b - (b >>> 60) + (b << 3);
    }

    static long l1(int x, long a, long b) {
        a = a >> x;
        b = b >>> x;
        return a | b & ~x;
    }

    static int i0(int a, int b) {
        a = a | b;
        b = a & b;
        a ^= b;
        return -a % 7;
    }

    static Object a0(Object a, Object b) {
        Object t = a;
        a = b;
        b = t;
        return a == b ? a : b;
    }

    static int compare(float a, float b, double c, double d) {
        int r = 0;
        if (a < b) {
            r |= 1;
        }
        if (a > b) {
            r |= 2;
        }
        if (!(c <= d)) {
            r |= 4;
        }
        if (!(c >= d)) {
            r |= 8;
        }
        return r;
    }

    public static void main(String[] args) {
        System.out.println(f0(7.5f, 2f) + " " + d0(7.5, 2) + " " + f1(1, 5f, 9f) + " " + d1(1, 5, 9));
        System.out.println(l0(-1234567890123L, 987654321L) + " " + l1(3, -99, 99) + " " + i0(12, 10) + " " + a0("a", "b"));
        System.out.println(compare(1, 2, 3, 4) + " " + compare(2, 1, 4, 3) + " " + compare(Float.NaN, 1, Double.NaN, 1) + " " + compare(1, 1, 1, 1));
        System.out.println(f0(0, 0) + " " + d0(1, 0) + " " + (long) f1(0, 1e20f, 3) + " " + (int) d1(0, -1e20, 3));
        float z = args.length;
        System.out.println(-z + " " + 1 / -z + " " + z % 2 + " " + (5 + z) % -3);
    }
}
