/** The paper's modification of Figure 2: 10 where v0 has 9. */
public class Figure2 {
    public static int m(int x, int y) {
        if (x < 0) {
            x = -x;
        }
        if (y < 0) {
            y = -y;
        }
        if (x < 10) {
            return 1;
        } else if (10 < y) {
            return -1;
        } else {
            return 0;
        }
    }
}
