/** Roman numerals up to 3999. */
public class Roman {
    private static final int[] VALUES = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1};
    private static final String[] SIGNS = {"M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"};

    public static String write(int number) {
        if (number < 1 || number > 3999) {
            throw new IllegalArgumentException("no Roman numeral");
        }
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < VALUES.length; i++) {
            while (number >= VALUES[i]) {
                out.append(SIGNS[i]);
                number -= VALUES[i];
            }
        }
        return out.toString();
    }

    private static int valueOf(char sign) {
        switch (sign) {
            case 'I':
                return 1;
            case 'V':
                return 5;
            case 'X':
                return 10;
            case 'L':
                return 50;
            case 'C':
                return 100;
            case 'D':
                return 500;
            case 'M':
                return 1000;
            default:
                throw new IllegalArgumentException("no Roman sign");
        }
    }

    /** Reads signs; a smaller sign before a greater one counts down. */
    public static int read(char[] text) {
        int total = 0;
        int last = 0;
        for (int i = text.length - 1; i >= 0; i--) {
            int value = valueOf(text[i]);
            if (value < last) {
                total -= value;
            } else {
                total += value;
                last = value;
            }
        }
        return total;
    }
}
