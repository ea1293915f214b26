/** As v0, but an equilateral triangle of side 1 is a kind of its own. */
public class TriTyp {
    public static int classify(int a, int b, int c) {
        if (a <= 0 || b <= 0 || c <= 0) {
            return 4;
        }
        int equal = 0;
        if (a == b) {
            equal += 1;
        }
        if (a == c) {
            equal += 2;
        }
        if (b == c) {
            equal += 3;
        }
        if (equal == 0) {
            if (a + b <= c || b + c <= a || a + c <= b) {
                return 4;
            }
            return 1;
        }
        if (equal > 3) {
            return a == 1 ? 5 : 3;
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
}
