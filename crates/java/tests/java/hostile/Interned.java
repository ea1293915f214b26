// int a 0 3
final class Interned {
    static int run(int a) {
        String s = a == 0 ? "ab" : a == 1 ? "a" + "b" : new String("ab");
        int r = s == "ab" ? 1 : 2;
        if (s.intern() == "ab") r += 4;
        String t = "n" + a;
        if (t == "n1") r += 8;
        return r;
    }
}
