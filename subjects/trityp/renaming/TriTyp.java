/** As v0, with other names of parameters and variables. */
public class TriTyp {
    public static int classify(int first, int second, int third) {
        if (first <= 0 || second <= 0 || third <= 0) {
            return 4;
        }
        int pairs = 0;
        if (first == second) {
            pairs += 1;
        }
        if (first == third) {
            pairs += 2;
        }
        if (second == third) {
            pairs += 3;
        }
        if (pairs == 0) {
            if (first + second <= third || second + third <= first || first + third <= second) {
                return 4;
            }
            return 1;
        }
        if (pairs > 3) {
            return 3;
        }
        if (pairs == 1 && first + second > third) {
            return 2;
        }
        if (pairs == 2 && first + third > second) {
            return 2;
        }
        if (pairs == 3 && second + third > first) {
            return 2;
        }
        return 4;
    }
}
