/** Character classification and conversion for ASCII and a little beyond. */
public class NumberCharacter {
    public static void main(String[] args) {
        StringBuilder sb = new StringBuilder();
        for (char c = 32; c < 127; c++) {
            int k = (Character.isDigit(c) ? 1 : 0) + (Character.isLetter(c) ? 2 : 0) + (Character.isUpperCase(c) ? 4 : 0) + (Character.isWhitespace(c) ? 8 : 0)
                + (Character.isLetterOrDigit(c) ? 16 : 0) + (Character.isJavaIdentifierStart(c) ? 32 : 0);
            sb.append((char) ('0' + k));
        }
        System.out.println(sb);
        System.out.println(Character.toUpperCase('q') + "" + Character.toLowerCase('Q') + Character.toUpperCase('1') + Character.getNumericValue('z'));
        System.out.println(Character.digit('7', 10) + " " + Character.digit('f', 16) + " " + Character.digit('g', 16) + " " + Character.forDigit(11, 16) + " " + Character.digit('9', 8));
        System.out.println((int) Character.toUpperCase('\u00e9') + " " + Character.isLetter('\u4e2d') + " " + Character.isDigit('\u0663') + " " + Character.isWhitespace('\u00a0') + " " + Character.isSpaceChar('\u00a0'));
        System.out.println((int) Character.MAX_VALUE + " " + Character.MIN_RADIX + " " + Character.getType('a') + " " + Character.isISOControl('\n'));
        System.out.println(Character.compare('a', 'b') + " " + Character.valueOf('x').equals('x') + " " + Character.toString('y') + " " + Character.hashCode('z'));
        System.out.println(Character.isAlphabetic('a') + " " + Character.isHighSurrogate('\ud800') + " " + Character.getNumericValue('5') + " " + Character.isValidCodePoint(0x110000));
    }
}
