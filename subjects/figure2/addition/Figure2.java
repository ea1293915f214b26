/** As v0, with one branch more: 42 is its own answer. */
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
        } else if (9 < y) {
            return y == 42 ? 42 : -1;
        } else {
            return 0;
        }
    }
}
