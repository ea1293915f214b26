/** Unsigned views of int and long: compare, divide, parse, print. */
public class NumberUnsigned {
    public static void main(String[] args) {
        int a = -1;
        int b = 7;
        System.out.println(Integer.toUnsignedString(a) + " " + Integer.toUnsignedLong(a) + " " + Integer.compareUnsigned(a, b) + " "
            + Integer.divideUnsigned(a, b) + " " + Integer.remainderUnsigned(a, b) + " " + Integer.parseUnsignedInt("4294967295"));
        long x = -2L;
        long y = 10L;
        System.out.println(Long.toUnsignedString(x) + " " + Long.compareUnsigned(y, x) + " " + Long.divideUnsigned(x, y) + " " + Long.remainderUnsigned(x, y));
        System.out.println(Byte.toUnsignedInt((byte) -1) + Short.toUnsignedInt((short) -1) + " " + Long.parseUnsignedLong("18446744073709551615"));
        long p = 0xffffffffL * 0xffffffffL;
        System.out.println(Long.toUnsignedString(p) + " " + Long.toHexString(p) + " " + Math.multiplyHigh(1L << 62, 12L));
        for (int i : new int[] {0, 1, Integer.MAX_VALUE, Integer.MIN_VALUE, -1}) {
            System.out.print(Integer.compareUnsigned(i, Integer.MIN_VALUE) + " ");
        }
        System.out.println();
        try {
            Integer.parseUnsignedInt("-1");
        } catch (NumberFormatException e) {
            System.out.println("no sign here");
        }
    }
}
