/** As v0, with the check of sides and the count of equal ones in methods of their own. */
public class TriTyp {
    public static int classify(int a, int b, int c) {
        if (!positive(a, b, c)) {
            return 4;
        }
        int equal = weightIf(1, a == b) + weightIf(2, a == c) + weightIf(3, b == c);
        if (equal == 0) {
            if (a + b <= c || b + c <= a || a + c <= b) {
                return 4;
            }
            return 1;
        }
        if (equal > 3) {
            return 3;
        }
        if (equal == 1 && a + b > c) {
            return 2;
        }
        if (equal == 2 && a + c > b) {
            return 2;
        }
        if (equal == 3 && b + c > a) {
            return 2;
        }
        return 4;
    }

    private static boolean positive(int a, int b, int c) {
        return a > 0 && b > 0 && c > 0;
    }

    private static int weightIf(int weight, boolean holds) {
        return holds ? weight : 0;
    }
}
