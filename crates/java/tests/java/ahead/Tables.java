package ahead;

import java.util.HashMap;
import java.util.Map;

/** Initializers that make tables, classes that need each other, and programs that change what they read. */
public class Tables {
    static int factor = 3;
    static StringBuilder order = new StringBuilder();

    enum Kind {
        SMALL, LARGE;

        static final Map<String, Kind> BY_NAME = new HashMap<>();

        static {
            for (Kind kind : values()) {
                BY_NAME.put(kind.name(), kind);
            }
        }
    }

    /** Depends on nothing that a program changes. */
    static class Squares {
        static final int[] ALL = new int[3000];
        static final Map<Kind, String> NAMES = new HashMap<>();

        static {
            for (int i = 0; i < ALL.length; i++) {
                ALL[i] = i * i % 1009;
            }
            for (Kind kind : Kind.values()) {
                NAMES.put(kind, "squares " + kind);
            }
        }
    }

    /** Needs another table. */
    static class Sums {
        static final int[] ALL = new int[3000];

        static {
            for (int i = 1; i < ALL.length; i++) {
                ALL[i] = ALL[i - 1] + Squares.ALL[i];
            }
        }
    }

    /** Reads a field that the program changes. */
    static class Multiples {
        static final int[] ALL = new int[3000];

        static {
            for (int i = 0; i < ALL.length; i++) {
                ALL[i] = factor * i;
            }
        }
    }

    /** Writes to an object of another class. */
    static class First {
        static int sum;

        static {
            for (int i = 0; i < 3000; i++) {
                sum += i;
            }
            order.append("first ");
        }
    }

    static class Second {
        static int sum;

        static {
            for (int i = 0; i < 3000; i++) {
                sum -= i;
            }
            order.append("second ");
        }
    }

    /** Prints. */
    static class Loud {
        static int sum;

        static {
            for (int i = 0; i < 3000; i++) {
                sum += i;
            }
            System.out.println("loud " + sum);
        }
    }

    public static int tables(String text, int x, boolean sums) {
        if (text == null) {
            return -1;
        }
        if (x < 0) {
            return text.length() == 2 ? Squares.ALL[7] : Squares.ALL[8];
        }
        if (sums) {
            return x > 10 ? Sums.ALL[40] : Sums.ALL[41];
        }
        return x > 20 ? Squares.ALL[50] : Squares.NAMES.get(Kind.LARGE).length();
    }

    public static int changed(int x) {
        if (x > 5) {
            factor = 100;
        }
        int found = x > 7 ? Multiples.ALL[2] : Multiples.ALL[3];
        factor = 3;
        return found;
    }

    public static String ordered(int x) {
        if (x == 0) {
            return order.append(First.sum).toString();
        }
        if (x > 0) {
            return order.append(First.sum).append(Second.sum).toString();
        }
        return order.append(Second.sum).append(First.sum).toString();
    }

    public static int loud(int x) {
        if (x == 0) {
            return 0;
        }
        return x > 0 ? Loud.sum : -Loud.sum;
    }

    /** A table that a path changes stays changed, and is another path's no more. */
    public static int written(int x) {
        if (x > 0) {
            Squares.ALL[1] = 77;
        }
        int before = x > 2 ? Squares.ALL[1] : Squares.ALL[1] + 1;
        return before + Sums.ALL[1];
    }
}
