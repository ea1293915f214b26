// int a -1 3
final class Enums {
    enum E { P(1) { int f(int x) { return x + k; } }, Q(2), R(3); final int k; E(int k) { this.k = k; } int f(int x) { return x * k; } }
    static int run(int a) {
        E e;
        try { e = E.values()[a]; } catch (ArrayIndexOutOfBoundsException x) { return x.getMessage().length(); }
        java.util.EnumMap<E, Integer> m = new java.util.EnumMap<>(E.class);
        m.put(e, a); m.put(E.Q, 7);
        int r = switch (e) { case P -> 1; case Q -> 20; case R -> 300; };
        if (e.compareTo(E.Q) > 0) r += 5;
        return r + e.f(a) + m.get(E.Q) + E.valueOf("R").ordinal() + e.name().length() + m.size();
    }
}
