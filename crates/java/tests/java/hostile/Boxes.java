// int a 125 130, int b 125 130
final class Boxes {
    static int run(int a, int b) {
        Integer x = a, y = b;
        int r = 0;
        if (x == y) r += 1;
        if (x.equals(y)) r += 2;
        Long z = (long) a;
        if (z.equals(y)) r += 4;
        if (z == 127L) r += 8;
        Character c = (char) a, d = (char) b;
        if (c == d) r += 16;
        Object o = a > 127 ? x : z;
        if (o instanceof Integer i && i > 128) r += 32;
        if (new java.util.HashSet<>(java.util.List.of(x)).contains(y)) r += 64;
        return r + x.hashCode();
    }
}
