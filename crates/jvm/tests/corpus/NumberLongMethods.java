/** Long parsing, printing, comparison and hashing. */
public class NumberLongMethods {
    public static void main(String[] args) {
        for (String s : new String[] {"9223372036854775807", "-9223372036854775808", "9223372036854775808", "0", "12L"}) {
            try {
                System.out.println(Long.parseLong(s));
            } catch (NumberFormatException e) {
                System.out.println(e.getMessage());
            }
        }
        for (long v : new long[] {0, -1, 99, 100, -12345678901L, Long.MAX_VALUE, Long.MIN_VALUE}) {
            System.out.println(v + " " + Long.toString(v, 3) + " " + Long.toHexString(v) + " " + Long.toOctalString(v) + " " + Long.hashCode(v));
        }
        System.out.println(Long.compare(1, 2) + " " + Long.max(3, 4) + " " + Long.sum(5, 6) + " " + Long.valueOf(7).equals(7L) + " " + Long.MAX_VALUE / 1000);
        long l = 123456789012345678L;
        System.out.println((int) (l >> 32) + " " + (int) l + " " + (short) l + " " + (long) (float) l + " " + (double) l);
        System.out.println((l > 0 ? "p" : "n") + (l == 123456789012345678L) + (l < Long.MIN_VALUE) + (l >= l) + (l != 0));
        long i = 0;
        while (i * i < 1000000007L) {
            i++;
        }
        System.out.println(i);
    }
}
