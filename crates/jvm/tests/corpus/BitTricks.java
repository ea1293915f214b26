/** Bit tricks: population count, parity, powers of two, Gray code, Morton order, saturation, average. */
public class BitTricks {
    static int pop(int x) {
        x = x - (x >>> 1 & 0x55555555);
        x = (x & 0x33333333) + (x >>> 2 & 0x33333333);
        return (x + (x >>> 4) & 0x0f0f0f0f) * 0x01010101 >>> 24;
    }

    static int nextPower(int x) {
        x--;
        for (int s = 1; s < 32; s <<= 1) {
            x |= x >> s;
        }
        return x + 1;
    }

    static long spread(int x) {
        long l = x & 0xffffffffL;
        l = (l | l << 16) & 0x0000ffff0000ffffL;
        l = (l | l << 8) & 0x00ff00ff00ff00ffL;
        l = (l | l << 4) & 0x0f0f0f0f0f0f0f0fL;
        l = (l | l << 2) & 0x3333333333333333L;
        return (l | l << 1) & 0x5555555555555555L;
    }

    static int saturate(int a, int b) {
        int s = a + b;
        return ((a ^ s) & (b ^ s)) < 0 ? a < 0 ? Integer.MIN_VALUE : Integer.MAX_VALUE : s;
    }

    static int average(int a, int b) {
        return (a & b) + ((a ^ b) >> 1);
    }

    static int swapNibbles(int b) {
        return (b & 0x0f) << 4 | (b & 0xf0) >> 4;
    }

    public static void main(String[] args) {
        for (int x : new int[] {0, 1, -1, 0x80000001, 123456789}) {
            System.out.println(pop(x) + " " + (pop(x) & 1) + " " + (x > 0 && (x & x - 1) == 0) + " " + (x ^ x >>> 1) + " " + (x & -x) + " " + Long.toHexString(spread(x)));
        }
        System.out.println(nextPower(5) + " " + nextPower(64) + " " + nextPower(1000000));
        System.out.println(saturate(Integer.MAX_VALUE, 5) + " " + saturate(Integer.MIN_VALUE, -5) + " " + saturate(3, 4));
        System.out.println(average(Integer.MAX_VALUE, Integer.MAX_VALUE - 2) + " " + average(-3, 4) + " " + Integer.toHexString(swapNibbles(0xa5)));
        int flags = 0;
        flags |= 1 << 3 | 1 << 31;
        flags &= ~(1 << 3);
        flags ^= 1;
        System.out.println(flags + " " + (flags >> 31) + " " + (flags >>> 31));
        int packed = 2024 << 9 | 12 << 5 | 31;
        System.out.println((packed >> 9) + "-" + (packed >> 5 & 15) + "-" + (packed & 31));
    }
}
