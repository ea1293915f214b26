/** Green's running example [Visser FSE'12, Figure 2]: 12 paths, 22 arms. */
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
            return -1;
        } else {
            return 0;
        }
    }
}
