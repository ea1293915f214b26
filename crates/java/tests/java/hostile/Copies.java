// int a -1 5, int b -1 4
final class Copies {
    static int run(int a, int b) {
        int[] x = {1, 2, a, b, 5};
        int[] y = x.clone();
        y[2]++;
        int r = x[2] == y[2] ? 1000 : 0;
        try { System.arraycopy(x, a, x, b, 2); } catch (IndexOutOfBoundsException e) { r += 500; }
        for (int i = 0; i < 5; i++) r = r * 3 + x[i];
        Object[] o = {"s", 1, "t"};
        String[] t = new String[3];
        try { System.arraycopy(o, 0, t, 0, a > 2 ? 1 : 3); } catch (ArrayStoreException e) { r++; }
        if (t[0] != null) r += 2;
        if (t[2] != null) r += 4;
        int[][] g = {x, x, y};
        int[][] h = g.clone();
        h[0][1] = 9;
        return r + g[1][1] + (g[2] == h[2] ? 1 : 0) + (y[1] == 9 ? 1 : 0);
    }
}
