// int a -12 12
final class RopeLatin {
    static int run(int a) {
        String s = a + "\u00e9";
        int r = s.equals("3\u00e9") ? 100 : 0;
        r += s.indexOf('\u00e9') * 7;
        r += s.contains("2\u00e9") ? 1000 : 0;
        r += s.compareTo("-5\u00e9") > 0 ? 10000 : 0;
        return r + s.hashCode() % 97;
    }
}
