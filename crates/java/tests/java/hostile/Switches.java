// int a -3 12
final class Switches {
    static int run(int a) {
        int r = 0;
        switch (a) { case 1: r++; case 2: r += 10; break; case 5: case 7: r += 100; default: r += 1000; case 9: r += 2; }
        r += switch (a) { case -3, -1 -> 3; case 0 -> { int k = a * 2; yield k + 1; } default -> a > 10 ? 9 : 8; };
        switch (a * 1000000) { case -3000000: r += 7; break; case 12000000: r += 8; break; case 2147483647: r += 9; }
        return r;
    }
}
