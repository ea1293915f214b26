import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/** Casts that the compiler inserts on generic results: fields, methods, lambdas, chained calls. */
public class TypeErasureReturns {
    static class Cell<T> {
        T value;

        Cell(T value) {
            this.value = value;
        }

        T get() {
            return value;
        }

        <R> Cell<R> map(Function<? super T, ? extends R> f) {
            return new Cell<>(f.apply(value));
        }

        Cell<T> set(T t) {
            value = t;
            return this;
        }
    }

    static class Num<N extends Number & Comparable<N>> {
        final N a;
        final N b;

        Num(N a, N b) {
            this.a = a;
            this.b = b;
        }

        N max() {
            return a.compareTo(b) >= 0 ? a : b;
        }

        double sum() {
            return a.doubleValue() + b.doubleValue();
        }
    }

    static <T> T first(T[] ts) {
        return ts[0];
    }

    static <A, B extends A> A up(B b) {
        return b;
    }

    public static void main(String[] args) {
        Cell<Integer> c = new Cell<>(5);
        int x = c.get() + c.value++ + c.value;
        System.out.println(x);
        System.out.println(c.map(v -> "n" + v).map(String::length).set(40).get() + 2);
        Num<Integer> n = new Num<>(3, 8);
        int m = n.max();
        System.out.println(m + n.sum() + " " + new Num<>(2.5, 1.5).max());
        String s = first(new String[] {"f", "g"});
        Object o = TypeErasureReturns.<Object, String>up(s);
        System.out.println(s.length() + " " + o);
        IntFunction<String> dup = k -> s.repeat(k);
        ToIntFunction<String> len = String::length;
        Supplier<Supplier<Character>> deep = () -> () -> dup.apply(3).charAt(len.applyAsInt("ab"));
        char ch = deep.get().get();
        System.out.println(ch);
        Cell<int[]> arr = new Cell<>(new int[] {1, 2});
        arr.value[1] += arr.get()[0] * 10;
        System.out.println(arr.get()[1] + arr.value.length);
        Cell<Cell<String>> nest = new Cell<>(new Cell<>("in"));
        nest.value.value += "side";
        System.out.println(nest.get().get().toUpperCase());
    }
}
