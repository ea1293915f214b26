// int a -1 4, int b 0 3
final class Labels {
    static int run(int a, int b) {
        int r = 0;
        outer:
        for (int i = 0; i < 3; i++) {
            int j = 0;
            do {
                if (i + j == a) continue outer;
                if (i * j > b) break outer;
                r += i == j ? 1 : 10;
                try { if (j == b) continue; r += 100; } finally { r++; }
            } while (++j < 3);
            r += 1000;
        }
        block: { if (a == b) break block; r = -r; }
        return r;
    }
}
