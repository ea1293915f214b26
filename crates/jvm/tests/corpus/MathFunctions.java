/** Math on int, long and double: rounding, roots, powers, bounds. */
public class MathFunctions {
    public static void main(String[] args) {
        double[] xs = {0.0, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49999999999999994, 4503599627370497.5, -0.2, 1e300};
        for (double x : xs) {
            System.out.println(Math.floor(x) + " " + Math.ceil(x) + " " + Math.rint(x) + " " + Math.round(x) + " " + Math.round((float) x) + " " + Math.abs(x));
        }
        System.out.println(Math.sqrt(2) + " " + Math.sqrt(-1) + " " + Math.cbrt(27) + " " + Math.pow(2, 10) + " " + Math.pow(2, -1) + " " + Math.pow(0, 0) + " " + Math.hypot(3, 4));
        System.out.println(Math.max(1, 2) + Math.min(3L, 4L) + " " + Math.max(1.5f, 2f) + " " + Math.abs(Integer.MIN_VALUE) + " " + Math.abs(-5L));
        System.out.println(Math.exp(0) + " " + Math.log(1) + " " + Math.log10(1000) + " " + Math.sin(0) + " " + Math.cos(0) + " " + Math.atan2(0, 1) + " " + Math.toDegrees(Math.PI));
        System.out.println(Math.round(Double.NaN) + " " + Math.round(1e30) + " " + Math.round(-1e30f) + " " + (int) Math.signum(-3.0));
        System.out.println(Math.floorMod(-3, 5) + " " + Math.fma(2.0, 3.0, 1.0) + " " + Math.nextAfter(1.0, 2) + " " + Math.scalb(1.5, 4));
    }
}
