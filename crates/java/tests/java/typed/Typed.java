package typed;

import java.util.List;
import java.util.Map;

/** Objects whose types have arguments: each method has as many paths as the test says. */
public class Typed {
    /** What it holds is what its type says. */
    public static class Box<T> {
        private final T held;

        public Box(T held) {
            this.held = held;
        }

        public T held() {
            return held;
        }
    }

    /** The variables of a class below have names and an order of their own. */
    public static class Two<S, F> extends Box<F> {
        private final S second;

        public Two(S second, F first) {
            super(first);
            this.second = second;
        }

        public S second() {
            return second;
        }
    }

    /** A factory has variables of its own. */
    public static final class Cell<V> {
        private final V value;

        private Cell(V value) {
            this.value = value;
        }

        public static <W> Cell<W> of(W value) {
            return new Cell<>(value);
        }

        public V value() {
            return value;
        }
    }

    /** An entry of the program, which is made of another entry. */
    public static final class View<K, V> implements Map.Entry<K, V> {
        private final Map.Entry<K, V> below;
        private final int number;

        public View(int number, Map.Entry<K, V> below) {
            this.number = number;
            this.below = below;
        }

        @Override
        public K getKey() {
            return below.getKey();
        }

        @Override
        public V getValue() {
            return below.getValue();
        }

        @Override
        public V setValue(V value) {
            throw new UnsupportedOperationException("view " + number);
        }
    }

    public static int box(Box<String> name) {
        if (name == null || name.held() == null) return -1;
        return name.held().length() > 2 ? 1 : 0;
    }

    public static int two(Two<Integer, String> both) {
        if (both == null || both.held() == null || both.second() == null) return -1;
        return both.second() > both.held().length() ? 1 : 0;
    }

    public static boolean cell(Cell<Long> cell) {
        return cell != null && cell.value() != null && cell.value() > 7L;
    }

    public static int nested(List<Cell<Long>> cells) {
        if (cells == null || cells.size() != 1 || cells.get(0) == null || cells.get(0).value() == null) return -1;
        return cells.get(0).value() > 7L ? 1 : 0;
    }

    public static <E extends Enum<E>> int constant(E one) {
        return one == null ? -1 : one.ordinal();
    }

    public static <E extends Enum<E>> boolean constants(List<E> all) {
        return all != null && all.size() == 4;
    }

    /** A null or the first constant. */
    public static <E extends Enum<E>> boolean keys(Map<E, Long> numbers) {
        return numbers != null && numbers.size() == 1;
    }

    public static int entry(Map.Entry<String, Integer> entry) {
        if (entry == null || entry.getValue() == null) return -1;
        return entry.getValue() > 3 ? 1 : 0;
    }
}
