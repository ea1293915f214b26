import evergreen.Sym;

/** Drives {@link Parser} with symbolic text; a division by zero is there to be found. */
public class ParserDriver {
    private static int evaluate(int length) {
        char[] text = new char[length];
        for (int i = 0; i < length; i++) {
            text[i] = Sym.aChar("c" + i);
        }
        try {
            return Parser.evaluate(text);
        } catch (Parser.Malformed e) {
            return -1 - e.position;
        }
    }

    public static int length1() {
        return evaluate(1);
    }

    public static int length2() {
        return evaluate(2);
    }

    public static int length3() {
        return evaluate(3);
    }

    public static int length4() {
        return evaluate(4);
    }
}
