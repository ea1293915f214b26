/** As v0, without the case of a small y. */
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
        } else {
            return -1;
        }
    }
}
