/** A change by addition: sides above 1000 are refused, so that no sum overflows. */
public class TriTyp {
    public static int classify(int a, int b, int c) {
        if (a <= 0 || b <= 0 || c <= 0) {
            return 4;
        }
        if (a > 1000 || b > 1000 || c > 1000) {
            return 5;
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
}
