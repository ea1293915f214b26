/** Integer.parseInt, valueOf, decode and toString in any radix, with failures. */
public class NumberIntegerParse {
    static void parse(String s, int radix) {
        try {
            System.out.println(Integer.parseInt(s, radix));
        } catch (NumberFormatException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) {
        for (String s : new String[] {"0", "-0", "+7", "2147483647", "2147483648", "-2147483648", "-2147483649", "", "-", "+", "12a", " 1", "1_000"}) {
            parse(s, 10);
        }
        parse("ff", 16);
        parse("-FF", 16);
        parse("1010", 2);
        parse("zz", 36);
        parse("2", 2);
        try {
            Integer.parseInt(null);
        } catch (NumberFormatException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Integer.valueOf("55") + Integer.decode("0x1F") + Integer.decode("-010") + Integer.decode("#a"));
        for (int v : new int[] {0, 255, -255, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            System.out.println(Integer.toString(v) + " " + Integer.toString(v, 2) + " " + Integer.toString(v, 7) + " " + Integer.toString(v, 36) + " "
                + Integer.toHexString(v) + " " + Integer.toOctalString(v) + " " + Integer.toBinaryString(v));
        }
        System.out.println(Byte.parseByte("-128") + Short.parseShort("32767") + " " + Boolean.parseBoolean("TRUE") + Boolean.parseBoolean("yes"));
        try {
            Byte.parseByte("128");
        } catch (NumberFormatException e) {
            System.out.println(e.getMessage());
        }
    }
}
