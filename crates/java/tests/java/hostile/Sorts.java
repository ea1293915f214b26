// int a -2 2, int b -2 2
final class Sorts {
    static int run(int a, int b) {
        int[] x = {a, 1, b, -1, a + b};
        java.util.Arrays.sort(x);
        byte[] y = {(byte) (a * 100), (byte) b, 7};
        java.util.Arrays.sort(y);
        String[] s = {"b", "a" + a, "" + b};
        java.util.Arrays.sort(s);
        int r = 0;
        for (int v : x) r = r * 7 + v;
        return r + y[0] + s[0].length() + java.util.Arrays.binarySearch(x, 1);
    }
}
