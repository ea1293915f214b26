// int a -3 3, int b -1 1
final class Finally {
    static int count;
    static int inner(int a, int b) {
        try {
            count++;
            if (a > 1) throw new IllegalStateException();
            return 10 / b;
        } catch (ArithmeticException e) {
            count += 10;
            return a / b;
        } finally {
            count += 100;
            if (a == -2) return 77;
            if (a == 3) throw new IllegalArgumentException();
        }
    }
    static int run(int a, int b) {
        count = 0;
        int r = 0;
        for (int i = 0; i < 2; i++) {
            try { r += inner(a + i, b); if (a == 0) continue; r++; }
            catch (ArithmeticException | IllegalStateException e) { r += 1000; if (b == 0) break; }
            finally { r += 3; }
        }
        return r + count;
    }
}
