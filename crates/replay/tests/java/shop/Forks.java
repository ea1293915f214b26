package shop;

/** Line numbers of this file are in tests/coverage.rs. */
public class Forks {
    public static int sign(int x) {
        if (x > 0) return 1;
        return x == 0 ? 0
                : -1;
    }

    public static int count(int n) {
        int i = 0;
        while (i < n) {
            i++;
        }
        return i;
    }

    public static int pick(int x) {
        switch (x) {
            case 10:
                return 1;
            case 11:
                return 2;
            default:
                return 3;
        }
    }
}
