/** java.util.function: composition, predicates, suppliers, operators. */
public class LambdaFunctional {
    static <A, B, C> java.util.function.Function<A, C> then(java.util.function.Function<A, B> f,
            java.util.function.Function<B, C> g) {
        return a -> g.apply(f.apply(a));
    }

    static <T> java.util.function.UnaryOperator<T> times(int n, java.util.function.UnaryOperator<T> f) {
        return x -> {
            T r = x;
            for (int i = 0; i < n; i++) {
                r = f.apply(r);
            }
            return r;
        };
    }

    public static void main(String[] args) {
        java.util.function.Function<Integer, Integer> inc = x -> x + 1;
        java.util.function.Function<Integer, String> show = x -> "<" + x + ">";
        System.out.println(inc.andThen(show).apply(4) + show.compose(inc).apply(9) + then(inc, show).apply(0));
        java.util.function.Predicate<String> empty = String::isEmpty;
        System.out.println(empty.negate().test("a") + " " + empty.or(s -> s.length() > 3).test("long") + " "
            + empty.and(s -> true).test(""));
        java.util.function.Supplier<java.util.List<String>> lists = java.util.ArrayList::new;
        java.util.List<String> one = lists.get();
        one.add("z");
        System.out.println(one + "" + lists.get());
        java.util.function.BiFunction<Integer, Integer, Integer> add = Integer::sum;
        System.out.println(add.andThen(x -> x * x).apply(2, 3));
        java.util.function.IntBinaryOperator gcd = new java.util.function.IntBinaryOperator() {
            public int applyAsInt(int a, int b) {
                return b == 0 ? a : applyAsInt(b, a % b);
            }
        };
        System.out.println(gcd.applyAsInt(84, 36));
        System.out.println(times(5, (String s) -> s + "!").apply("hey"));
        java.util.function.ToLongFunction<Integer> widen = i -> i;
        java.util.function.LongUnaryOperator sq = l -> l * l;
        System.out.println(sq.applyAsLong(widen.applyAsLong(100000)));
        java.util.function.Consumer<StringBuilder> ca = sb -> sb.append('a');
        StringBuilder sb = new StringBuilder();
        ca.andThen(x -> x.append('b')).andThen(ca).accept(sb);
        System.out.println(sb);
        java.util.function.BooleanSupplier yes = () -> true;
        java.util.function.DoubleUnaryOperator half = x -> x / 2;
        System.out.println(yes.getAsBoolean() + " " + half.applyAsDouble(5));
        java.util.function.Function<Integer, java.util.function.Function<Integer, Integer>> curried = a -> b -> a - b;
        System.out.println(curried.apply(10).apply(3) + java.util.function.Function.<Integer>identity().apply(1));
    }
}
