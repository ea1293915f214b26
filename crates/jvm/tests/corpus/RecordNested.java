import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Records as keys, nested, generic, with arrays, interfaces and local records. */
public class RecordNested {
    interface Area {
        double area();
    }

    record Rect(double w, double h) implements Area {
        public double area() {
            return w * h;
        }

        static Rect square(double s) {
            return new Rect(s, s);
        }
    }

    record Pair<A, B>(A first, B second) {
        <C> Pair<A, C> with(C c) {
            return new Pair<>(first, c);
        }
    }

    record Arr(int[] xs, String... names) {
        @Override
        public boolean equals(Object o) {
            return o instanceof Arr a && Arrays.equals(xs, a.xs);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(xs);
        }
    }

    record Node(int v, Node left, Node right) {
        int sum() {
            return v + (left == null ? 0 : left.sum()) + (right == null ? 0 : right.sum());
        }
    }

    record Person(String name, int age) {
        Person {
            name = name.trim();
            if (age < 0) {
                age = 0;
            }
        }

        @Override
        public String name() {
            return name.toUpperCase();
        }
    }

    public static void main(String[] args) {
        System.out.println(Rect.square(3).area() + " " + new Rect(1, 2).equals(new Rect(1.0, 2.0f)));
        Map<Pair<Integer, String>, String> m = new HashMap<>();
        m.put(new Pair<>(1, "a"), "found");
        System.out.println(m.get(new Pair<>(1, "a")) + " " + m.get(new Pair<>(1, "b")) + " " + new Pair<>(1, "x").with(List.of(2)));
        Arr a = new Arr(new int[] {1, 2}, "n", "m");
        System.out.println(a.equals(new Arr(new int[] {1, 2})) + " " + (a.hashCode() == new Arr(new int[] {1, 2}).hashCode()) + " " + a.names().length);
        Node n = new Node(1, new Node(2, null, null), new Node(3, new Node(4, null, null), null));
        System.out.println(n.sum() + " " + n);
        Person p = new Person("  ann ", -5);
        System.out.println(p + " " + p.name() + p.age());
        record Local(char c, long l) { }
        System.out.println(new Local('x', 5).equals(new Local('x', 5)) + " " + new Local('y', 1L << 40).hashCode());
        System.out.println(p.getClass().isRecord() + " " + new Pair<>(null, null).equals(new Pair<>(null, null)));
    }
}
