// int a -2147483648 -2147483645, int b -2 2
final class MinByMinusOne {
    static int run(int a, int b) {
        int r = 0;
        try { r = a / b; } catch (ArithmeticException e) { return 5; }
        if (r == a) return 1;
        if (a % b == 0) r += 3;
        if (Math.abs(a) < 0) r += 7;
        if (-a == a) r += 11;
        long q = (long) a / b;
        return q > Integer.MAX_VALUE ? 2 : r;
    }
}
