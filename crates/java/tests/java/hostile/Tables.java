// int a -1 4, int b -1 3
final class Tables {
    static int run(int a, int b) {
        int[][] t = new int[3][];
        t[0] = new int[] {1, 2}; t[1] = t[0]; t[2] = new int[b + 1];
        t[a][b] = 7;
        int r = t[0][1] * 10 + t[1][1];
        long[][][] u = new long[2][2][1];
        u[a & 1][b & 1][0] = a * 5L;
        if (u[1][0][0] > 4) r += 1000;
        char[][] c = {"ab".toCharArray(), "cd".toCharArray()};
        return r + c[b & 1][a & 1];
    }
}
