/** NaN, infinities and signed zeros in comparisons and arithmetic. */
public class FloatSpecials {
    static String cmp(double a, double b) {
        return (a < b) + "," + (a <= b) + "," + (a > b) + "," + (a >= b) + "," + (a == b) + "," + (a != b);
    }

    static String cmp(float a, float b) {
        return (a < b) + "," + (a <= b) + "," + (a > b) + "," + (a >= b) + "," + (a == b) + "," + (a != b);
    }

    public static void main(String[] args) {
        double nan = Double.NaN;
        double inf = Double.POSITIVE_INFINITY;
        System.out.println(cmp(nan, nan));
        System.out.println(cmp(nan, 1.0));
        System.out.println(cmp(0.0, -0.0));
        System.out.println(cmp(inf, -inf));
        System.out.println(cmp(Float.NaN, 0f));
        System.out.println(cmp(1f, Float.MIN_VALUE));
        System.out.println(1 / 0.0 + " " + 1 / -0.0 + " " + 0.0 / 0.0 + " " + (inf - inf) + " " + inf * 0);
        System.out.println(Double.compare(0.0, -0.0) + " " + Double.compare(nan, inf) + " " + Float.compare(-0f, 0f));
        System.out.println(Double.valueOf(nan).equals(nan) + " " + Double.valueOf(0.0).equals(-0.0));
        System.out.println(Double.isNaN(nan) + " " + Double.isInfinite(-inf) + " " + Float.isNaN(1f));
        System.out.println(Math.min(0.0, -0.0) + " " + Math.max(-0.0, 0.0) + " " + Math.min(nan, 1));
        if (!(nan < 1) && !(nan >= 1)) {
            System.out.println("unordered");
        }
        double d = -0.0;
        System.out.println(d + 0.0 + " " + (d - 0.0) + " " + -d + " " + (0.0 - d));
        System.out.println(Math.abs(-0.0) + " " + Math.signum(-2.5) + " " + Math.copySign(3.0, -0.0));
    }
}
