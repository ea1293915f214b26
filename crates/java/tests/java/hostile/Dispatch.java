// int a -2 4, int b 0 2
final class Dispatch {
    interface Shape { int area(int k); default int twice(int k) { return 2 * area(k); } }
    record Square(int side) implements Shape { public int area(int k) { return side * k; } }
    static class Circle implements Shape {
        int radius; Circle(int r) { radius = r; }
        public int area(int k) { return radius > k ? 3 : 1; }
        @Override public int twice(int k) { return radius == 2 ? Shape.super.twice(k) : -1; }
    }
    static final class Disc extends Circle { Disc(int r) { super(r + 1); } @Override public int area(int k) { return super.area(k) - 10; } }
    static int run(int a, int b) {
        Shape[] all = {new Square(a), new Circle(a), new Disc(a)};
        Shape s = all[b];
        int r = s.twice(1);
        if (s instanceof Circle c) { c.radius++; r += c.radius; }
        Circle alias = (Circle) all[1];
        alias.radius = 9;
        r += all[1].area(a);
        try { r += ((Disc) s).radius; } catch (ClassCastException e) { r += e.getMessage() == null ? 0 : 1000; }
        return r + (s.equals(new Square(2)) ? 7 : 0) + new Square(a).hashCode();
    }
}
