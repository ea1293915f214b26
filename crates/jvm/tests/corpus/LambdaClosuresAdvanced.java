import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/** Closures as data: memoizers, lazies, Church numerals, a Y combinator, pipelines. */
public class LambdaClosuresAdvanced {
    static <A, B> Function<A, B> memo(Function<A, B> f) {
        Map<A, B> seen = new HashMap<>();
        return a -> {
            if (!seen.containsKey(a)) {
                seen.put(a, f.apply(a));
            }
            return seen.get(a);
        };
    }

    interface Rec<A, B> extends Function<Rec<A, B>, Function<A, B>> { }

    static <A, B> Function<A, B> fix(Function<Function<A, B>, Function<A, B>> f) {
        Rec<A, B> r = w -> f.apply(x -> w.apply(w).apply(x));
        return r.apply(r);
    }

    interface Church {
        <T> Function<T, T> times(Function<T, T> f);
    }

    static Church church(int n) {
        return new Church() {
            public <T> Function<T, T> times(Function<T, T> f) {
                Function<T, T> r = Function.identity();
                for (int i = 0; i < n; i++) {
                    r = r.andThen(f);
                }
                return r;
            }
        };
    }

    static class Lazy<T> implements Supplier<T> {
        private Supplier<? extends T> make;
        private T value;

        Lazy(Supplier<? extends T> make) {
            this.make = make;
        }

        public T get() {
            if (make != null) {
                value = make.get();
                make = null;
            }
            return value;
        }
    }

    static int calls;

    public static void main(String[] args) {
        Function<Integer, Integer> slow = x -> {
            calls++;
            return x * x;
        };
        Function<Integer, Integer> fast = memo(slow);
        System.out.println(fast.apply(4) + fast.apply(4) + fast.apply(5) + " " + calls);
        Function<Integer, Long> fact = fix(self -> n -> n < 2 ? 1L : n * self.apply(n - 1));
        System.out.println(fact.apply(15));
        System.out.println(church(5).<Integer>times(x -> x * 2).apply(1) + church(3).<String>times(s -> s + "!").apply("hey"));
        Lazy<String> lazy = new Lazy<>(() -> "made " + ++calls);
        System.out.println(lazy.get() + " " + lazy.get());
        List<Supplier<Integer>> counters = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int[] at = {i * 10};
            counters.add(() -> at[0]++);
        }
        int sum = 0;
        for (Supplier<Integer> c : counters) {
            sum += c.get() + c.get();
        }
        System.out.println(sum);
        BiFunction<Integer, Integer, Integer> sub = (a, b) -> a - b;
        Function<BiFunction<Integer, Integer, Integer>, BiFunction<Integer, Integer, Integer>> flip = f -> (a, b) -> f.apply(b, a);
        System.out.println(flip.apply(sub).apply(3, 10));
    }
}
