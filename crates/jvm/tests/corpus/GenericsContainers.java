/** Own generic containers: stack, pair, linked list with an iterator, bounded types, wildcards. */
public class GenericsContainers {
    static class Stack<T> implements Iterable<T> {
        private Object[] items = new Object[2];
        private int size;

        void push(T t) {
            if (size == items.length) {
                Object[] bigger = new Object[size * 2];
                System.arraycopy(items, 0, bigger, 0, size);
                items = bigger;
            }
            items[size++] = t;
        }

        @SuppressWarnings("unchecked")
        T pop() {
            if (size == 0) {
                throw new IllegalStateException("empty");
            }
            T t = (T) items[--size];
            items[size] = null;
            return t;
        }

        @Override
        public java.util.Iterator<T> iterator() {
            return new java.util.Iterator<T>() {
                int at = size;

                public boolean hasNext() {
                    return at > 0;
                }

                @SuppressWarnings("unchecked")
                public T next() {
                    return (T) items[--at];
                }
            };
        }
    }

    static class Pair<A, B> {
        final A a;
        final B b;

        Pair(A a, B b) {
            this.a = a;
            this.b = b;
        }

        Pair<B, A> swap() {
            return new Pair<>(b, a);
        }

        static <X> Pair<X, X> twin(X x) {
            return new Pair<>(x, x);
        }
    }

    static double sum(Iterable<? extends Number> ns) {
        double s = 0;
        for (Number n : ns) {
            s += n.doubleValue();
        }
        return s;
    }

    static void fill(Stack<? super Integer> s) {
        for (int i = 0; i < 5; i++) {
            s.push(i * i);
        }
    }

    @SafeVarargs
    static <E> Stack<E> of(E... es) {
        Stack<E> s = new Stack<>();
        for (E e : es) {
            s.push(e);
        }
        return s;
    }

    public static void main(String[] args) {
        Stack<Number> s = new Stack<>();
        fill(s);
        s.push(2.5);
        s.push(10000000000L);
        System.out.println(sum(s));
        for (Number n : s) {
            System.out.print(n + " ");
        }
        System.out.println(s.pop() + " " + s.pop().intValue());
        Pair<String, Integer> p = new Pair<>("x", 1);
        System.out.println(p.swap().a + p.swap().b + Pair.twin('c').b);
        for (String w : of("a", "b", "c")) {
            System.out.print(w);
        }
        System.out.println();
        try {
            new Stack<Void>().pop();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
