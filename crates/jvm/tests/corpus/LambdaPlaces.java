import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/** Lambdas in field initializers, static initializers, constructors, default methods, enum constants, arguments of this(). */
public class LambdaPlaces {
    static final List<String> LOG = new ArrayList<>();
    static final Supplier<String> STATIC = () -> "static" + LOG.size();

    static {
        Runnable r = () -> LOG.add("block");
        r.run();
    }

    int seed = 3;
    final IntUnaryOperator field = x -> x * this.seed;
    final Supplier<Supplier<Integer>> deep;

    LambdaPlaces() {
        this(() -> 40);
        LOG.add("no-arg");
    }

    LambdaPlaces(Supplier<Integer> s) {
        deep = () -> () -> s.get() + seed;
        Runnable r = () -> seed++;
        r.run();
    }

    interface Twice {
        int on(int x);

        default Twice again() {
            return x -> on(on(x));
        }

        Twice INC = x -> x + 1;
    }

    enum Op {
        NEG(x -> -x), SQUARE(x -> x * x);

        final IntUnaryOperator f;

        Op(IntUnaryOperator f) {
            this.f = f;
        }
    }

    static int apply(IntUnaryOperator f, int... xs) {
        int sum = 0;
        for (int x : xs) {
            sum += f.applyAsInt(x);
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(STATIC.get() + LOG);
        LambdaPlaces p = new LambdaPlaces();
        System.out.println(p.field.applyAsInt(5) + " " + p.deep.get().get() + LOG);
        System.out.println(Twice.INC.again().again().on(0) + " " + Op.NEG.f.applyAsInt(4) + Op.SQUARE.f.applyAsInt(5));
        System.out.println(apply(Op.SQUARE.f.andThen(x -> x + 1).compose(x -> x - 1), 1, 2, 3));
        for (int i = 0; i < 2; i++) {
            int k = i;
            switch (k) {
                case 0 -> System.out.println(((Supplier<Integer>) () -> k + 10).get());
                default -> System.out.println(((Supplier<Integer>) () -> k + 20).get());
            }
        }
        Object o = (Comparable<String>) s -> s.length();
        @SuppressWarnings("unchecked")
        int n = ((Comparable<String>) o).compareTo("four");
        System.out.println(n);
    }
}
