/** long shifts: counts are taken modulo 64; the count may be a long. */
public class ShiftLong {
    public static void main(String[] args) {
        long[] values = {1L, -1L, Long.MIN_VALUE, 0x123456789abcdef0L};
        for (long v : values) {
            for (int c = -65; c <= 65; c += 13) {
                System.out.println((v << c) + " " + (v >> c) + " " + (v >>> c));
            }
        }
        long count = 68L;
        System.out.println((5L << count) + " " + (5 << count) + " " + (-5L >>> count) + " " + (-5 >> count));
        System.out.println(1 << 40);
        System.out.println(1L << 40);
    }
}
