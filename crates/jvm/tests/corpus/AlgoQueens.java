/** The eight queens by backtracking, with arrays and with bits. */
public class AlgoQueens {
    static int solutions;
    static int[] columns = new int[8];

    static boolean safe(int row, int col) {
        for (int r = 0; r < row; r++) {
            if (columns[r] == col || Math.abs(columns[r] - col) == row - r) {
                return false;
            }
        }
        return true;
    }

    static void place(int row) {
        if (row == 6) {
            solutions++;
            if (solutions == 1) {
                for (int r = 0; r < 6; r++) {
                    for (int c = 0; c < 6; c++) {
                        System.out.print(columns[r] == c ? 'Q' : '.');
                    }
                    System.out.println();
                }
            }
            return;
        }
        for (int c = 0; c < 6; c++) {
            if (safe(row, c)) {
                columns[row] = c;
                place(row + 1);
            }
        }
    }

    static int bits(int all, int cols, int left, int right) {
        if (cols == all) {
            return 1;
        }
        int n = 0;
        for (int free = all & ~(cols | left | right); free != 0; free &= free - 1) {
            int bit = free & -free;
            n += bits(all, cols | bit, (left | bit) << 1, (right | bit) >>> 1);
        }
        return n;
    }

    public static void main(String[] args) {
        place(0);
        System.out.println(solutions);
        for (int n = 1; n <= 7; n++) {
            System.out.print(bits((1 << n) - 1, 0, 0, 0) + " ");
        }
        System.out.println();
    }
}
