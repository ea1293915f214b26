/** bitCount, reverse, rotations, leading and trailing zeros of int and long. */
public class NumberIntegerBits {
    public static void main(String[] args) {
        int[] is = {0, 1, -1, 2, 0x00f0f000, Integer.MIN_VALUE, 12345};
        for (int i : is) {
            System.out.println(Integer.bitCount(i) + " " + Integer.reverse(i) + " " + Integer.reverseBytes(i) + " " + Integer.numberOfLeadingZeros(i)
                + " " + Integer.numberOfTrailingZeros(i) + " " + Integer.highestOneBit(i) + " " + Integer.lowestOneBit(i) + " " + Integer.rotateLeft(i, 5)
                + " " + Integer.rotateRight(i, 37) + " " + Integer.signum(i));
        }
        long[] ls = {0, 1, -1, 1L << 40, Long.MIN_VALUE, 0x123456789abcdefL};
        for (long l : ls) {
            System.out.println(Long.bitCount(l) + " " + Long.reverse(l) + " " + Long.reverseBytes(l) + " " + Long.numberOfLeadingZeros(l) + " "
                + Long.numberOfTrailingZeros(l) + " " + Long.highestOneBit(l) + " " + Long.lowestOneBit(l) + " " + Long.rotateLeft(l, 9) + " " + Long.signum(l));
        }
        System.out.println(Short.reverseBytes((short) 0x1234) + " " + (int) Character.reverseBytes('\u1234'));
    }
}
