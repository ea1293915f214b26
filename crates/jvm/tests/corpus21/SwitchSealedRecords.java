/** Exhaustive switches over sealed types with record patterns, no default. */
public class SwitchSealedRecords {
    sealed interface Shape { }

    record Circle(double r) implements Shape { }

    record Rect(double w, double h) implements Shape { }

    record Group(Shape a, Shape b) implements Shape { }

    enum Unit implements Shape { POINT, LINE }

    static double area(Shape s) {
        return switch (s) {
            case Circle(double r) -> 3 * r * r;
            case Rect(double w, double h) when w == h -> w * w;
            case Rect(var w, var h) -> w * h;
            case Group(Circle(double r), Circle(double q)) -> 3 * (r * r + q * q) + 0.5;
            case Group(Shape a, Shape b) -> area(a) + area(b);
            case Unit.POINT -> 0;
            case Unit.LINE -> -1;
        };
    }

    public static void main(String[] args) {
        Shape[] all = {new Circle(2), new Rect(3, 3), new Rect(2, 5), new Group(new Circle(1), new Circle(2)),
            new Group(new Circle(1), new Group(new Rect(1, 2), Unit.LINE)), Unit.POINT};
        for (Shape s : all) {
            System.out.println(area(s));
        }
        try {
            area(null);
        } catch (NullPointerException e) {
            System.out.println("null is not a shape");
        }
    }
}
