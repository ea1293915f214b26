// int a -2 2, int b -2 2
final class Lambdas {
    static int run(int a, int b) {
        java.util.function.IntBinaryOperator op = a > b ? (x, y) -> x - y + a : Math::max;
        java.util.function.Supplier<Integer> s = () -> op.applyAsInt(a, b);
        java.util.function.Function<Integer, Integer> f = x -> x * 2;
        int r = f.andThen(x -> x > 3 ? x : -x).compose((Integer x) -> x + b).apply(s.get());
        return r + java.util.stream.IntStream.of(a, b, 3).filter(x -> x > 0).map(x -> x + 1).sum();
    }
}
