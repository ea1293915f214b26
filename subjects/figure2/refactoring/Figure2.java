/** As v0, with the absolute value in a method of its own. */
public class Figure2 {
    public static int m(int x, int y) {
        x = abs(x);
        y = abs(y);
        if (x < 10) {
            return 1;
        } else if (9 < y) {
            return -1;
        } else {
            return 0;
        }
    }

    private static int abs(int value) {
        if (value < 0) {
            return -value;
        }
        return value;
    }
}
