/** The middle one of three numbers, compared as in Program 1 of the paper [Makhdoom ASE'14]. */
public class Mid {
    public static int mid(int x, int y, int z) {
        if (x < y) {
            if (y < z) {
                return y;
            } else if (x < z) {
                return z;
            } else {
                return x;
            }
        } else if (x < z) {
            return x;
        } else if (y < z) {
            return z;
        } else {
            return y;
        }
    }
}
