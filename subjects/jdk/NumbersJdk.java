import evergreen.Sym;

/** Drives Integer.parseInt and its relatives with symbolic text. */
public class NumbersJdk {
    private static int parse(int length) {
        char[] text = new char[length];
        for (int i = 0; i < length; i++) {
            text[i] = Sym.aChar("c" + i);
            Sym.assume(text[i] < 128);
        }
        try {
            return Integer.parseInt(new String(text));
        } catch (NumberFormatException e) {
            return -1000;
        }
    }

    public static int parse1() {
        return parse(1);
    }

    public static int parse2() {
        return parse(2);
    }

    public static int parse3() {
        return parse(3);
    }

    /** Ten digits, the last two symbolic: the overflow check. */
    public static int parseLimit() {
        char[] text = "2147483600".toCharArray();
        for (int i = 8; i < 10; i++) {
            text[i] = Sym.aChar("c" + i);
            Sym.assume(text[i] >= '0' && text[i] <= '9');
        }
        try {
            int value = Integer.parseInt(new String(text));
            Sym.check(value >= 2147483600, "the number that was written");
            return value - 2147483600;
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    public static int bitCount(int x) {
        int count = Integer.bitCount(x);
        Sym.check(0 <= count && count <= 32, "a count of bits");
        return count;
    }

    public static int signum(int x) {
        return Integer.signum(x);
    }

    public static int compare(int x, int y) {
        return Integer.compare(x, y);
    }

    public static int abs(int x) {
        int y = Math.abs(x);
        Sym.check(y >= 0, "an absolute value is not negative");
        return y;
    }
}
