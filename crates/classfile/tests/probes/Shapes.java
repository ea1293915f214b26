import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;

/** Everything whose shape in the class file a rewriter could get wrong. */
public class Shapes {
    enum Color { RED, GREEN, BLUE }

    record Point(int x, long y, double z) {}

    interface Shape {
        default String name() {
            return this instanceof Shapes ? "shapes" : getClass().getSimpleName().isEmpty() ? "nameless" : "named";
        }
    }

    private final int value;

    Shapes(int value) {
        // A branch before the superclass's constructor is called.
        this(value, value > 3 ? "big" : "small");
    }

    Shapes(int value, String text) {
        this.value = value + (text == null ? 0 : text.length());
    }

    static int finallyReturns(int x) {
        try {
            if (x == 0)
                throw new IllegalStateException("zero");
            if (x == 1)
                return 10;
            return 100 / (x - 2);
        } catch (ArithmeticException e) {
            return -1;
        } finally {
            if (x > 2)
                System.out.println("finally " + x);
        }
    }

    static String color(Color color, String name) {
        String text = switch (color) {
            case RED -> "r";
            case GREEN -> "g";
            case BLUE -> name.equals("deep") ? "B" : "b";
        };
        return switch (name) {
            case "deep", "dark" -> text + "!";
            case "Aa", "BB" -> text + "?";
            default -> text;
        };
    }

    static long wide(long a, long b, double c, float d) {
        long best = a > b ? a : b;
        if (c > best || c != c)
            best++;
        if (d >= 1.5f && !(d < -0.0f))
            best--;
        for (long i = 0; i < 3; i++)
            best += i % 2 == 0 ? i : -i;
        return best;
    }

    static synchronized int locked(Object lock, int n) {
        synchronized (lock) {
            if (n > 1)
                return n * locked(lock, n - 1);
            return 1;
        }
    }

    static int nested(int[][] table) {
        int found = 0;
        outer:
        for (int[] row : table) {
            for (int cell : row) {
                if (cell < 0)
                    continue outer;
                if (cell == 99)
                    break outer;
                found += cell;
            }
        }
        return found;
    }

    public static void main(String[] args) throws Exception {
        for (int x = 0; x < 5; x++) {
            try {
                System.out.println("finallyReturns " + finallyReturns(x));
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage() + " at line " + e.getStackTrace()[0].getLineNumber());
            }
        }
        for (Color color : Color.values())
            for (String name : new String[] {"deep", "Aa", "BB", "plain"})
                System.out.print(color(color, name) + " ");
        System.out.println();
        System.out.println(wide(3, 4, 5.0, 2f) + " " + wide(9, 4, Double.NaN, Float.NaN));
        System.out.println(locked(new Object(), 6));
        System.out.println(nested(new int[][] {{1, 2}, {3, -1, 50}, {4, 99, 7}, {8}}));
        System.out.println(new Shapes(2).value + " " + new Shapes(5).value);
        IntFunction<String> f = i -> i % 2 == 0 ? "even" : "odd";
        Map<String, List<Integer>> groups = new TreeMap<>();
        for (int i = 0; i < 6; i++)
            groups.computeIfAbsent(f.apply(i), k -> new ArrayList<>()).add(i);
        System.out.println(groups + " " + new Point(1, 2L, 3.5).equals(new Point(1, 2L, 3.5)) + new Point(4, 5, 6));
        System.out.println(new Shape() {}.name());
        assert groups.size() == 2 : "size";
        try {
            Object o = groups;
            System.out.println(((List<?>) o).size());
        } catch (ClassCastException e) {
            System.out.println("cast");
        }
    }
}
