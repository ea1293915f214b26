import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/** Generic algebra: recursive bounds, fluent hierarchies, a persistent list, a typed heterogeneous map. */
public class GenericsRecursive {
    abstract static class Shape<S extends Shape<S>> {
        String log = "";

        abstract S self();

        S move(int d) {
            log += "m" + d;
            return self();
        }
    }

    static class Circle extends Shape<Circle> {
        Circle self() {
            return this;
        }

        Circle grow(double f) {
            log += "g" + f;
            return this;
        }
    }

    abstract static class Seq<T> {
        abstract boolean isEmpty();

        abstract T head();

        abstract Seq<T> tail();

        static <T> Seq<T> nil() {
            return new Seq<T>() {
                boolean isEmpty() {
                    return true;
                }

                T head() {
                    throw new IllegalStateException("head of nil");
                }

                Seq<T> tail() {
                    throw new IllegalStateException("tail of nil");
                }
            };
        }

        Seq<T> cons(T t) {
            Seq<T> rest = this;
            return new Seq<T>() {
                boolean isEmpty() {
                    return false;
                }

                T head() {
                    return t;
                }

                Seq<T> tail() {
                    return rest;
                }
            };
        }

        <R> Seq<R> map(Function<? super T, ? extends R> f) {
            return isEmpty() ? nil() : tail().<R>map(f).cons(f.apply(head()));
        }

        <R> R fold(R z, java.util.function.BiFunction<R, T, R> f) {
            R r = z;
            for (Seq<T> s = this; !s.isEmpty(); s = s.tail()) {
                r = f.apply(r, s.head());
            }
            return r;
        }
    }

    static <T extends Comparable<T>> boolean sorted(List<? extends T> l) {
        for (int i = 1; i < l.size(); i++) {
            if (l.get(i - 1).compareTo(l.get(i)) > 0) {
                return false;
            }
        }
        return true;
    }

    static <T> void swap(List<T> l, int i, int j) {
        T t = l.get(i);
        l.set(i, l.get(j));
        l.set(j, t);
    }

    static void swapAny(List<?> l) {
        swap(l, 0, l.size() - 1);
    }

    public static void main(String[] args) {
        System.out.println(new Circle().move(1).grow(2).move(3).log);
        Seq<Integer> s = Seq.<Integer>nil().cons(3).cons(2).cons(1);
        System.out.println(s.map(x -> "n" + x).fold("", String::concat) + s.fold(0, Integer::sum) + s.cons(0).tail().head());
        try {
            Seq.nil().head();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        List<String> l = new ArrayList<>(List.of("b", "m", "z"));
        System.out.println(sorted(l));
        swapAny(l);
        System.out.println(l + " " + sorted(l) + " " + sorted(Collections.<Integer>emptyList()));
    }
}
