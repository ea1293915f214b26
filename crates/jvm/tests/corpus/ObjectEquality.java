/** equals, hashCode and toString of own classes; default toString starts with the class name. */
public class ObjectEquality {
    static final class Point implements Comparable<Point> {
        final int x;
        final int y;

        Point(int x, int y) {
            this.x = x;
            this.y = y;
        }

        @Override
        public boolean equals(Object o) {
            if (this == o) {
                return true;
            }
            if (!(o instanceof Point)) {
                return false;
            }
            Point p = (Point) o;
            return x == p.x && y == p.y;
        }

        @Override
        public int hashCode() {
            return 31 * x + y;
        }

        @Override
        public String toString() {
            return "(" + x + "," + y + ")";
        }

        @Override
        public int compareTo(Point o) {
            return x != o.x ? Integer.compare(x, o.x) : Integer.compare(y, o.y);
        }
    }

    static class Plain { }

    public static void main(String[] args) {
        Point a = new Point(1, 2);
        Point b = new Point(1, 2);
        System.out.println((a == b) + " " + a.equals(b) + " " + a.equals(null) + " " + a.equals("(1,2)") + " " + (a.hashCode() == b.hashCode()));
        System.out.println(a + " " + String.valueOf((Object) null) + " " + a.compareTo(new Point(1, 3)));
        Plain p = new Plain();
        System.out.println(p.equals(p) + " " + p.equals(new Plain()) + " " + (p.hashCode() == p.hashCode()));
        System.out.println(p.toString().startsWith("ObjectEquality$Plain@"));
        System.out.println(p.toString().equals(p.getClass().getName() + "@" + Integer.toHexString(p.hashCode())));
        System.out.println(java.util.Objects.hash(1, "a", null) + " " + java.util.Objects.equals(a, b) + " " + java.util.Objects.hashCode(null));
        java.util.HashMap<Point, String> map = new java.util.HashMap<>();
        map.put(a, "first");
        System.out.println(map.get(b) + " " + map.containsKey(new Point(2, 1)));
        System.out.println(java.util.Objects.toString(null, "default") + java.util.Objects.requireNonNullElse(null, "else"));
    }
}
