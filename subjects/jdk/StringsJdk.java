import evergreen.Sym;

/** Drives java.lang.String with symbolic characters and concrete lengths. */
public class StringsJdk {
    private static String drawn(int length) {
        char[] text = new char[length];
        for (int i = 0; i < length; i++) {
            text[i] = Sym.aChar("c" + i);
            Sym.assume(text[i] < 128);
        }
        return new String(text);
    }

    public static int indexOfChar() {
        String text = drawn(3);
        int index = text.indexOf('x');
        Sym.check(index < 0 || text.charAt(index) == 'x', "what is found is there");
        return index;
    }

    public static int indexOfAny() {
        return drawn(3).indexOf(Sym.aChar("asked"));
    }

    public static int indexOfText() {
        return drawn(4).indexOf("ab");
    }

    public static boolean equalsFixed() {
        return drawn(3).equals("key");
    }

    public static int compare() {
        return Integer.signum(drawn(2).compareTo("mm"));
    }

    public static int trim() {
        return drawn(3).trim().length();
    }

    public static boolean palindrome() {
        String text = drawn(4);
        return new StringBuilder(text).reverse().toString().equals(text);
    }

    /** The famous collision: which two characters hash like "Aa"? */
    public static boolean collision() {
        String text = drawn(2);
        return text.hashCode() == "Aa".hashCode() && !text.equals("Aa");
    }

    public static int switchOn() {
        switch (drawn(2)) {
            case "Aa":
                return 1;
            case "BB":
                return 2;
            default:
                return 0;
        }
    }
}
