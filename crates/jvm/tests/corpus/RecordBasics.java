/** Records: accessors, equals, hashCode, toString, compact constructors, static members. */
public class RecordBasics {
    record Point(int x, int y) {
        static final Point ORIGIN = new Point(0, 0);

        double length() {
            return Math.sqrt(x * x + y * y);
        }

        Point plus(Point o) {
            return new Point(x + o.x, y + o.y());
        }
    }

    record Range(int lo, int hi) {
        Range {
            if (lo > hi) {
                throw new IllegalArgumentException(lo + " > " + hi);
            }
        }

        Range(int both) {
            this(both, both);
        }
    }

    record All(boolean z, byte b, char c, short s, int i, long l, float f, double d, String t, Object o) { }

    record Empty() { }

    record Box<T>(T value) implements Comparable<Box<T>> {
        @SuppressWarnings("unchecked")
        public int compareTo(Box<T> other) {
            return ((Comparable<T>) value).compareTo(other.value);
        }
    }

    public static void main(String[] args) {
        Point p = new Point(3, 4);
        System.out.println(p + " " + p.x() + " " + p.length() + " " + p.plus(new Point(1, 1)) + " " + Point.ORIGIN);
        System.out.println(p.equals(new Point(3, 4)) + " " + p.equals(new Point(4, 3)) + " " + p.equals(null) + " " + p.hashCode());
        System.out.println(new Range(5));
        try {
            new Range(2, 1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        All a = new All(true, (byte) 1, 'c', (short) 2, 3, 4L, 5f, 6.0, "t", null);
        All b = new All(true, (byte) 1, 'c', (short) 2, 3, 4L, 5f, 6.0, new String("t"), null);
        System.out.println(a);
        System.out.println(a.equals(b) + " " + (a.hashCode() == b.hashCode()) + " " + a.hashCode());
        All n = new All(false, (byte) 0, 'c', (short) 2, 3, 4L, Float.NaN, -0.0, "t", null);
        All m = new All(false, (byte) 0, 'c', (short) 2, 3, 4L, Float.NaN, 0.0, "t", null);
        System.out.println(n.equals(n) + " " + n.equals(m));
        System.out.println(new Empty() + " " + new Empty().equals(new Empty()) + " " + new Empty().hashCode());
        System.out.println(new Box<>("a").compareTo(new Box<>("b")) + " " + new Box<>(new Box<>(1)) + " " + new Box<>(null).hashCode());
    }
}
