// int a -2 2
final class Nulls {
    static class N { int v; N next; N(int v, N next) { this.v = v; this.next = next; } }
    static int run(int a) {
        N n = new N(a, a > 0 ? new N(1, null) : null);
        int r = 0;
        try { r = n.next.next == null ? 1 : 2; n.next.next.v = 3; }
        catch (NullPointerException e) { r += e.getMessage().length() * 10; }
        try { String s = a == 0 ? null : "q"; r += s.length(); synchronized (a == 1 ? null : n) { r++; } }
        catch (NullPointerException e) { r += 5000; }
        Integer b = a == 2 ? null : a;
        return r + b;
    }
}
