package made;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Functions as parameters. */
public final class Functions {
    private Functions() {}

    /** An interface of the program, with code of its own. */
    interface Price {
        int of(String article, int pieces);

        default int twice(String article) {
            return of(article, 1) > 100 ? 200 : of(article, 1) * 2;
        }
    }

    /** A parameter that functions tell apart as an object. */
    public static final class Node {
        final int value;

        public Node(int value) {
            this.value = value;
        }
    }

    /** No value of f distinguishes two calls with the same number. */
    public static int pure(IntUnaryOperator f, int x, int y) {
        if (f.applyAsInt(x) != f.applyAsInt(x)) {
            return 1;
        }
        if (x == y && f.applyAsInt(x) != f.applyAsInt(y)) {
            return 2;
        }
        return f.applyAsInt(x) == f.applyAsInt(y) ? 3 : 4;
    }

    /** A cycle of three needs a function that knows its answers. */
    public static boolean cycle(IntUnaryOperator f) {
        int one = f.applyAsInt(0);
        int two = f.applyAsInt(one);
        return one != 0 && two != 0 && two != one && f.applyAsInt(two) == 0;
    }

    public static int count(IntPredicate keeps, int x, int y) {
        return (keeps.test(x) ? 1 : 0) + (keeps.negate().test(y) ? 1 : 0);
    }

    public static String text(Function<String, String> f, String s) {
        String once = f.apply(s);
        return once != null && once.equals("ab") ? f.apply("ab") : null;
    }

    public static int priced(Price price) {
        return price.twice("tea") + price.of("tea", 2);
    }

    public static int larger(Comparator<Integer> order, int a, int b) {
        return order.reversed().compare(a, b) > 0 ? b : a;
    }

    public static boolean nodes(Predicate<Node> keeps, Node a, Node b) {
        return keeps.test(a) && !keeps.test(b) && keeps.test(a);
    }

    public static Node made(Supplier<Node> nodes) {
        Node first = nodes.get();
        if (first != nodes.get()) {
            throw new IllegalStateException("another node");
        }
        return first != null && first.value > 7 ? first : null;
    }

    public static void run(Runnable action, Consumer<String> sink) {
        action.run();
        sink.accept("x");
    }

    public static int called(Callable<Integer> task) throws Exception {
        Integer answer = task.call();
        return answer == null ? -1 : answer;
    }

    public static int nested(Supplier<Supplier<Boolean>> outer) {
        Supplier<Boolean> inner = outer.get();
        Boolean answer = inner == null ? null : inner.get();
        return answer == null ? 0 : answer ? 1 : 2;
    }

    /** Zeros differ by their signs, and NaN is one value. */
    public static int zeros(DoubleUnaryOperator f) {
        int same = f.applyAsDouble(0.0) == f.applyAsDouble(-0.0) ? 1 : 0;
        double nan = f.applyAsDouble(Double.NaN);
        return same + (nan == f.applyAsDouble(0.0 / 0.0) ? 2 : 0);
    }

    public static int loop(IntPredicate goesOn) {
        int i = 0;
        while (goesOn.test(i)) {
            i++;
        }
        return i;
    }

    public static int sum(BiFunction<Integer, Integer, Integer> f, IntBinaryOperator g, int x) {
        Integer one = f.apply(x, 1);
        return one == null ? 0 : g.applyAsInt(one, one);
    }

    public static int grown(UnaryOperator<List<Integer>> f) {
        List<Integer> answer = f.apply(Arrays.asList(1, 2));
        return answer == null ? -1 : answer.size();
    }

    /** The JDK's own code calls it. */
    public static int sorted(Comparator<Integer> order, int a, int b) {
        Integer[] both = {a, b};
        if (order == null) {
            return 0;
        }
        Arrays.sort(both, order);
        return both[0] == a ? 1 : 2;
    }

    /** A method with a type of its own, which no lambda implements. */
    public static boolean visited(Visitor visitor) {
        return visitor != null && visitor.visit("a", true) != null;
    }

    interface Visitor {
        <T> T visit(String what, T value);
    }

    /** No source outside can name the interface. */
    private interface Hidden {
        boolean is(int value);

        default boolean isNot(int value) {
            return !is(value);
        }
    }

    public static int hidden(Hidden hidden) {
        return hidden.isNot(3) ? 1 : 2;
    }

    public static boolean uncalled(IntPredicate p) {
        return p == null;
    }
}
