/** Virtual calls, super calls, fields that hide, private and static methods that do not override. */
public class ObjectDispatch {
    static class Shape {
        String name = "shape";

        String describe() {
            return name + " of area " + area() + secret() + kind();
        }

        double area() {
            return 0;
        }

        private String secret() {
            return " s0";
        }

        static String kind() {
            return " k0";
        }
    }

    static class Square extends Shape {
        String name = "square";
        double side;

        Square(double side) {
            this.side = side;
        }

        @Override
        double area() {
            return side * side;
        }

        private String secret() {
            return " s1";
        }

        static String kind() {
            return " k1";
        }

        String both() {
            return name + "/" + super.name + "/" + ((Shape) this).name + secret();
        }
    }

    static class Cube extends Square {
        Cube(double side) {
            super(side);
        }

        @Override
        double area() {
            return 6 * super.area();
        }

        @Override
        String describe() {
            return "[" + super.describe() + "]";
        }
    }

    public static void main(String[] args) {
        Shape[] shapes = {new Shape(), new Square(2), new Cube(2)};
        for (Shape s : shapes) {
            System.out.println(s.describe() + " " + s.name);
        }
        System.out.println(((Square) shapes[2]).both());
        System.out.println(shapes[2] instanceof Square);
        System.out.println(shapes[0].getClass().getName() + " " + shapes[2].getClass().getSuperclass().getSimpleName());
    }
}
