// char a 96 101, int b -1 2
final class StringSwitch {
    static int run(char a, int b) {
        String s = b > 0 ? "x" + a : a + "" + b;
        switch (s) {
            case "xa": return 1;
            case "xb": return 2;
            case "c0": return 3;
            case "d-1": return 4;
            case "Aa": case "BB": return 5;
            default: return s.length();
        }
    }
}
