/** Casts among integral types: what is cut off and how signs extend. */
public class CastNarrowing {
    public static void main(String[] args) {
        long[] values = {0, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 2147483647L, 2147483648L, 4294967295L,
            -1, -128, -129, -32769, 0x123456789abcdefL};
        for (long v : values) {
            int i = (int) v;
            System.out.println(v + ": " + (byte) v + " " + (short) v + " " + (int) (char) v + " " + i + " " + (byte) i
                + " " + (short) i + " " + (int) (char) i);
        }
        byte b = -56;
        char c = (char) b;
        System.out.println((int) c + " " + (short) c + " " + (long) c + " " + (b & 0xffL));
        short s = (short) '\u00ff';
        System.out.println(s + " " + (byte) s);
    }
}
