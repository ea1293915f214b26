/** Evaluates sums, products and parentheses over one-digit numbers by recursive descent. */
public class Parser {
    /** What the text is not. */
    public static final class Malformed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public final int position;

        Malformed(String message, int position) {
            super(message + " at " + position);
            this.position = position;
        }
    }

    private final char[] text;
    private int at;

    private Parser(char[] text) {
        this.text = text;
    }

    public static int evaluate(char[] text) {
        Parser parser = new Parser(text);
        int value = parser.sum();
        if (parser.at < text.length) {
            throw new Malformed("too much text", parser.at);
        }
        return value;
    }

    private boolean sees(char wanted) {
        if (at < text.length && text[at] == wanted) {
            at++;
            return true;
        }
        return false;
    }

    private int sum() {
        int value = product();
        while (true) {
            if (sees('+')) {
                value += product();
            } else if (sees('-')) {
                value -= product();
            } else {
                return value;
            }
        }
    }

    private int product() {
        int value = factor();
        while (true) {
            if (sees('*')) {
                value *= factor();
            } else if (sees('/')) {
                value /= factor();
            } else {
                return value;
            }
        }
    }

    private int factor() {
        if (sees('-')) {
            return -factor();
        }
        if (sees('(')) {
            int value = sum();
            if (!sees(')')) {
                throw new Malformed("a parenthesis is open", at);
            }
            return value;
        }
        if (at >= text.length) {
            throw new Malformed("a number is missing", at);
        }
        char digit = text[at];
        if (digit < '0' || digit > '9') {
            throw new Malformed("not a digit", at);
        }
        at++;
        return digit - '0';
    }
}
