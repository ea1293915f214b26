/** Own iterators in for-each loops, remove, exhaustion. */
public class IteratorOwn {
    static class Range implements Iterable<Integer> {
        final int lo;
        final int hi;

        Range(int lo, int hi) {
            this.lo = lo;
            this.hi = hi;
        }

        @Override
        public java.util.Iterator<Integer> iterator() {
            return new java.util.Iterator<>() {
                int at = lo;

                @Override
                public boolean hasNext() {
                    return at < hi;
                }

                @Override
                public Integer next() {
                    if (!hasNext()) {
                        throw new java.util.NoSuchElementException("past " + hi);
                    }
                    return at++;
                }
            };
        }
    }

    static java.util.Iterator<Integer> fibonacci() {
        return new java.util.Iterator<Integer>() {
            int a = 0;
            int b = 1;

            public boolean hasNext() {
                return true;
            }

            public Integer next() {
                int r = a;
                a = b;
                b += r;
                return r;
            }
        };
    }

    public static void main(String[] args) {
        int sum = 0;
        for (int i : new Range(3, 8)) {
            for (int j : new Range(0, i)) {
                sum += i * j;
            }
        }
        System.out.println(sum);
        java.util.Iterator<Integer> it = new Range(0, 1).iterator();
        System.out.println(it.next());
        try {
            it.next();
        } catch (java.util.NoSuchElementException e) {
            System.out.println(e.getMessage());
        }
        try {
            it.remove();
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
        java.util.Iterator<Integer> f = fibonacci();
        for (int k = 0; k < 10; k++) {
            System.out.print(f.next() + " ");
        }
        System.out.println();
        new Range(5, 7).forEach(x -> System.out.print(x + ";"));
        new Range(1, 4).iterator().forEachRemaining(x -> System.out.print(-x));
        System.out.println();
    }
}
