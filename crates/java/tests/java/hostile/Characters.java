// char a 0 255
final class Characters {
    static int run(char a) {
        int r = 0;
        if (Character.isDigit(a)) r += 1;
        if (Character.isLetter(a)) r += 2;
        if (Character.isWhitespace(a)) r += 4;
        if (Character.toUpperCase(a) == 'Q') r += 8;
        if (Character.isUpperCase(a)) r += 16;
        return r + Character.getNumericValue(a);
    }
}
