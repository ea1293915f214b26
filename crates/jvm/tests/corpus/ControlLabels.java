/** Labeled break and continue out of loops, blocks and switches. */
public class ControlLabels {
    static String find(int[][] grid, int wanted) {
        rows:
        for (int r = 0; r < grid.length; r++) {
            for (int c = 0; c < grid[r].length; c++) {
                if (grid[r][c] < 0) {
                    continue rows;
                }
                if (grid[r][c] == wanted) {
                    return r + "," + c;
                }
                if (grid[r][c] > 100) {
                    break rows;
                }
            }
        }
        return "none";
    }

    public static void main(String[] args) {
        int[][] grid = {{1, 2, -1, 3}, {4, 5}, {}, {6, 200, 7}, {8}};
        for (int w = 1; w < 9; w++) {
            System.out.println(w + " at " + find(grid, w));
        }
        block:
        {
            System.out.println("in");
            if (grid.length > 2) {
                break block;
            }
            System.out.println("not here");
        }
        int i = 0;
        loop:
        while (true) {
            switch (i++) {
                case 0:
                case 2:
                    continue loop;
                case 1:
                    System.out.println("one");
                    break;
                case 4:
                    break loop;
                default:
                    System.out.println("default " + i);
            }
            System.out.println("after " + i);
        }
        System.out.println(i);
    }
}
