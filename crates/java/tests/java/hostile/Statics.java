// int a -2 2
final class Statics {
    static int n; static int[] xs; static final StringBuilder TEXT = new StringBuilder();
    static int bump(int by) { n += by; xs[Math.abs(n) % 3] += by; TEXT.append(by); return n; }
    static int run(int a) {
        n = 0; xs = new int[3]; TEXT.setLength(0);
        int r = bump(a) * 3 + bump(a > 0 ? 1 : -1) + (bump(2) > 2 ? xs[0] : xs[1]);
        if (TEXT.length() > 3) r += 100;
        if (TEXT.indexOf("-1") == 0) r += 1000;
        return r + TEXT.toString().hashCode();
    }
}
