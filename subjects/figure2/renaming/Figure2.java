/** As v0, with other names of the parameters. */
public class Figure2 {
    public static int m(int width, int height) {
        if (width < 0) {
            width = -width;
        }
        if (height < 0) {
            height = -height;
        }
        if (width < 10) {
            return 1;
        } else if (9 < height) {
            return -1;
        } else {
            return 0;
        }
    }
}
