/** int shifts: counts are taken modulo 32, negative counts included. */
public class ShiftInt {
    public static void main(String[] args) {
        int[] values = {1, -1, 0x80000000, 0x7fffffff, 0x12345678, -8};
        int[] counts = {0, 1, 4, 31, 32, 33, 64, -1, -31, -32};
        for (int v : values) {
            for (int c : counts) {
                System.out.println(v + " by " + c + ": " + (v << c) + " " + (v >> c) + " " + (v >>> c));
            }
        }
        byte b = (byte) 0xf0;
        System.out.println((b >> 2) + " " + (b >>> 2) + " " + (byte) (b >>> 2) + " " + ((b & 0xff) >>> 2));
        short s = (short) 0x8001;
        s >>>= 1;
        System.out.println(s);
        int n = 1;
        n <<= 35L;
        System.out.println(n);
    }
}
