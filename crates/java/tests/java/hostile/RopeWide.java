// int a -3 12, char b 252 260
final class RopeWide {
    static int run(int a, char b) {
        String s = "\u00ff" + b + a + "\u4e2d";
        int r = s.length();
        if (s.charAt(1) == '\u0100') r += 50;
        if (s.endsWith("7\u4e2d")) r += 500;
        if (s.startsWith("\u00ff\u00fe")) r += 5000;
        String t = "" + b;
        if (t.equals("\u00ff")) r += 3;
        if (t.equals("\u0101")) r += 4;
        return r + t.hashCode();
    }
}
