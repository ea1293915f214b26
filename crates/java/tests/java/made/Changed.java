package made;

import java.lang.reflect.Array;

/** Objects that calls change before a method is called, and objects of what generic types say. */
public class Changed {
    /** Has a mean when it has more rows than columns. */
    public static class Rows {
        private final int columns;
        private int count;
        private double sum;

        public Rows(int columns) {
            if (columns < 1) throw new IllegalArgumentException();
            this.columns = columns;
        }

        public void add(double[] row) {
            if (row.length != columns) throw new IllegalArgumentException();
            count++;
            for (double x : row) sum += x;
        }

        public void clear() {
            count = 0;
            sum = 0;
        }

        public int sign(boolean strict) {
            if (count <= columns) return -2;
            if (sum > 0) return 1;
            return strict && sum < 0 ? -1 : 0;
        }
    }

    public static int blocks(byte[] bytes) {
        int length = 0;
        for (byte b : bytes) {
            if (b < 0) return -1;
            if (++length > 20) return 1;
        }
        return 0;
    }

    /** No walk takes its last arm. */
    public static int dead(int n) {
        if (n > 5 && n < 4) return 1;
        return n == 77 ? 2 : 0;
    }

    public static int rows(int count) {
        Object[] all = (Object[]) Array.newInstance(String.class, count);
        return all.length > 3 ? 1 : 0;
    }

    /** Takes millions of instructions. */
    public static class Table {
        private static final int[] ALL = new int[1000];

        static {
            for (int round = 0; round < 1000; round++) {
                for (int i = 0; i < ALL.length; i++) ALL[i] += round;
            }
        }

        public static boolean isLarge(int n) {
            return ALL[7] > n;
        }
    }

    public interface Field<T> {
        T zero();
    }

    public interface Real<T> {
        T plus(T other);

        double real();
    }

    public static class Ratio {}

    public static class RatioField implements Field<Ratio> {
        @Override
        public Ratio zero() {
            return new Ratio();
        }
    }

    public static class Decimal implements Real<Decimal> {
        private final double value;

        public Decimal(double value) {
            this.value = value;
        }

        @Override
        public Decimal plus(Decimal other) {
            return new Decimal(value + other.value);
        }

        @Override
        public double real() {
            return value;
        }
    }

    public static class DecimalField implements Field<Decimal> {
        @Override
        public Decimal zero() {
            return new Decimal(0);
        }
    }

    public static class Single implements Real<Single> {
        private final float value;

        public Single(float value) {
            this.value = value;
        }

        @Override
        public Single plus(Single other) {
            return new Single(value + other.value);
        }

        @Override
        public double real() {
            return value;
        }
    }

    public static class Solver<T extends Real<T>> {
        private final T zero;

        public Solver(Field<T> field) {
            zero = field.zero();
            zero.real();
        }

        public boolean isPositive(T from) {
            return from.plus(zero).real() > 0;
        }
    }
}
