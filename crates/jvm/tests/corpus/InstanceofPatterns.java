/** instanceof with and without a pattern; scope of the pattern variable. */
public class InstanceofPatterns {
    static String describe(Object o) {
        if (o instanceof String s && s.length() > 3) {
            return "long string " + s.substring(0, 3);
        }
        if (o instanceof String s) {
            return "short string " + s;
        }
        if (!(o instanceof Number n)) {
            return o instanceof int[] a ? "ints " + a.length : "other";
        }
        return "number " + n.intValue();
    }

    sealed interface Shape permits Circle, Rect { }

    record Circle(double r) implements Shape { }

    record Rect(double w, double h) implements Shape { }

    static double area(Shape s) {
        if (s instanceof Circle c) {
            return c.r() * c.r() * 3;
        } else if (s instanceof Rect r) {
            return r.w() * r.h();
        }
        throw new IllegalStateException();
    }

    public static void main(String[] args) {
        Object[] all = {"hello", "hi", 42, 2.9, 'c', null, new int[2], new Object[0]};
        for (Object o : all) {
            System.out.println(describe(o));
        }
        System.out.println(area(new Circle(2)) + area(new Rect(2, 3)));
        Object n = null;
        System.out.println((n instanceof Object) + " " + ("x" instanceof Comparable) + " " + (all instanceof Object[]));
        Object arr = new String[1][1];
        System.out.println((arr instanceof Object[]) + " " + (arr instanceof Object[][]) + " " + (arr instanceof String[]) + " " + (arr instanceof Cloneable) + " " + (arr instanceof java.io.Serializable[]));
        Object prim = new long[0];
        System.out.println((prim instanceof Object[]) + " " + (prim instanceof long[]));
        while (!(n instanceof Integer k)) {
            n = 7;
        }
        System.out.println(k + 1);
    }
}
