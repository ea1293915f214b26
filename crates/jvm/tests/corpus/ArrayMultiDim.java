/** Arrays of arrays: rectangular, ragged, partly allocated. */
public class ArrayMultiDim {
    public static void main(String[] args) {
        int[][] m = new int[3][4];
        for (int r = 0; r < 3; r++) {
            for (int c = 0; c < 4; c++) {
                m[r][c] = r * c - c;
            }
        }
        System.out.println(m[2][3] + " " + m.length + " " + m[0].length);
        long[][][] cube = new long[2][3][4];
        cube[1][2][3] = 1L << 40;
        System.out.println(cube[1][2][3] + cube[0][0][0]);
        double[][] part = new double[3][];
        System.out.println(part[1] == null);
        part[1] = new double[] {1.5, 2.5};
        System.out.println(part[1][1]);
        int[][] ragged = {{1}, {2, 3}, {}, null};
        int total = 0;
        for (int[] row : ragged) {
            if (row != null) {
                for (int v : row) {
                    total += v;
                }
            }
        }
        System.out.println(total);
        int[][] pascal = new int[8][];
        for (int n = 0; n < pascal.length; n++) {
            pascal[n] = new int[n + 1];
            pascal[n][0] = pascal[n][n] = 1;
            for (int k = 1; k < n; k++) {
                pascal[n][k] = pascal[n - 1][k - 1] + pascal[n - 1][k];
            }
        }
        for (int v : pascal[7]) {
            System.out.print(v + " ");
        }
        System.out.println();
        String[][][] none = new String[0][5][];
        System.out.println(none.length);
        char[][] board = new char[2][2];
        board[1] = "xy".toCharArray();
        System.out.println(board[1][0]);
        System.out.println(new int[0][0].getClass().getName() + " " + cube.getClass().getName() + " "
            + none.getClass().getSimpleName() + " " + part[1].getClass());
        try {
            int[][] bad = new int[2][-1];
            System.out.println(bad.length);
        } catch (NegativeArraySizeException e) {
            System.out.println(e.getMessage());
        }
        Object[] asObjects = m;
        System.out.println(asObjects[0] == m[0]);
    }
}
