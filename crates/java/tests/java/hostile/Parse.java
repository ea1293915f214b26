// char a 45 58, char b 47 58
final class Parse {
    static int run(char a, char b) {
        String s = "" + a + b;
        try { int n = Integer.parseInt(s); return n > 50 ? 1 : n; }
        catch (NumberFormatException e) { return e.getMessage().length() * 100; }
    }
}
