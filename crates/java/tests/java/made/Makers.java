package made;

/** Objects that constructors and factories make: each method has as many paths as the test says. */
public class Makers {
    /** Refuses what is no range: no path ends there. */
    public record Range(int low, int high) {
        public Range {
            if (low > high) throw new IllegalArgumentException("low > high");
        }

        public boolean has(int x) {
            return low <= x && x <= high;
        }
    }

    record Pair(Range first, Range second) {}

    public static final class Fraction {
        private final int num;
        private final int den;

        public Fraction(int num, int den) {
            if (den == 0) throw new ArithmeticException("zero");
            this.num = num;
            this.den = den;
        }

        public boolean isWhole() {
            return num % den == 0;
        }
    }

    public static class Matrix {
        private final double[][] cells;

        public Matrix(int rows, int columns) {
            if (rows <= 0 || columns <= 0 || rows > 2 || columns > 2) throw new IllegalArgumentException();
            cells = new double[rows][columns];
        }

        public boolean isSquare() {
            return cells.length == cells[0].length;
        }
    }

    /** Only the factory makes it. */
    public static final class Money {
        private final long cents;

        private Money(long cents) {
            this.cents = cents;
        }

        public static Money of(long cents) throws java.io.IOException {
            if (cents < 0) throw new java.io.IOException();
            return new Money(cents);
        }

        public static Money sum(Money a, Money b) {
            return new Money(a.cents + b.cents);
        }

        public boolean isLarge() {
            return cents > 1000;
        }
    }

    interface Shape {
        int area();
    }

    static final class Square implements Shape {
        final int side;

        Square(int side) {
            this.side = side;
        }

        public int area() {
            return side > 100 ? -1 : side * side;
        }
    }

    /** No test can name it. */
    private static final class Line implements Shape {
        final int[] ends;

        public Line(int[] ends) {
            this.ends = ends.clone();
        }

        public int area() {
            ends[0] = 7;
            return 0;
        }
    }

    /** Several constructors; one of them prints. */
    public static class Counter {
        private int count;

        public Counter() {}

        public Counter(int count) {
            System.out.println("counts from " + count);
            this.count = count;
        }

        public Counter(Counter other) {
            count = other.count;
        }

        public int next() {
            return count > 5 ? count : ++count;
        }
    }

    /** Nested deeper than the bound. */
    record Chain(int value, Chain rest) {}

    enum Color {
        RED,
        GREEN
    }

    public static int range(Range r) {
        return r.high() - r.low() == 7 ? 1 : 0;
    }

    public static int pair(Pair p) {
        return p.first.low < p.second.low ? 1 : 0;
    }

    public static boolean money(Money m) {
        return m != null && m.isLarge();
    }

    public static int shape(Shape s) {
        return s.area() > 50 ? 1 : 0;
    }

    public static int color(Color c) {
        return c == Color.RED ? 1 : 2;
    }

    public static int box(Integer n, Boolean b, Character c) {
        if (n == null || b == null || c == null) return -1;
        return n > 5 && b && c == 'x' ? 1 : 0;
    }

    public static int chain(Chain c) {
        return c == null ? 0 : c.rest == null ? 1 : c.rest.rest == null ? 2 : 3;
    }
}
