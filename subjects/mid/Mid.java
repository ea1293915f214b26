/** The middle one of three numbers: 6 paths. */
public class Mid {
    public static int mid(int x, int y, int z) {
        if (y < z) {
            if (x < y) {
                return y;
            }
            return x < z ? x : z;
        }
        if (x < z) {
            return z;
        }
        return x < y ? x : y;
    }
}
