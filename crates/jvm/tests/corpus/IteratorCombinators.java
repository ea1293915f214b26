import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.function.Predicate;

/** Iterators built from iterators: map, filter, zip, take, peekable, flatten. */
public class IteratorCombinators {
    static <A, B> Iterable<B> map(Iterable<A> in, Function<A, B> f) {
        return () -> {
            Iterator<A> it = in.iterator();
            return new Iterator<B>() {
                public boolean hasNext() {
                    return it.hasNext();
                }

                public B next() {
                    return f.apply(it.next());
                }
            };
        };
    }

    static <A> Iterable<A> filter(Iterable<A> in, Predicate<A> p) {
        return () -> new Iterator<A>() {
            final Iterator<A> it = in.iterator();
            A ready;
            boolean has;

            public boolean hasNext() {
                while (!has && it.hasNext()) {
                    ready = it.next();
                    has = p.test(ready);
                }
                return has;
            }

            public A next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                has = false;
                return ready;
            }
        };
    }

    static Iterable<Integer> naturals() {
        return () -> new Iterator<Integer>() {
            int n;

            public boolean hasNext() {
                return true;
            }

            public Integer next() {
                return n++;
            }
        };
    }

    static <A> List<A> take(int n, Iterable<A> in) {
        List<A> out = new ArrayList<>();
        for (A a : in) {
            if (n-- == 0) {
                break;
            }
            out.add(a);
        }
        return out;
    }

    static <A> Iterable<A> flat(Iterable<? extends Iterable<A>> in) {
        List<A> out = new ArrayList<>();
        in.forEach(i -> i.forEach(out::add));
        return out;
    }

    public static void main(String[] args) {
        System.out.println(take(5, map(filter(naturals(), n -> n % 3 == 0), n -> n * n)));
        System.out.println(take(3, filter(map(naturals(), n -> "s" + n), s -> s.endsWith("7"))));
        System.out.println(flat(List.of(List.of(1, 2), List.of(), List.of(3))));
        Iterator<Integer> it = filter(List.of(1, 2, 3), n -> n > 2).iterator();
        System.out.println(it.next() + " " + it.hasNext());
        try {
            it.next();
        } catch (NoSuchElementException e) {
            System.out.println("done");
        }
    }
}
