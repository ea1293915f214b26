// int a -1 1
final class InitFails {
    static int run(int a) {
        int r = 0;
        for (int i = 0; i < 2; i++) {
            try { r += Bad.value; }
            catch (ExceptionInInitializerError e) { r += 1; }
            catch (NoClassDefFoundError e) { r += 10; }
        }
        return a > 0 ? 3 : 4;
    }
    static class Bad { static int value = Integer.parseInt("x"); }
}
