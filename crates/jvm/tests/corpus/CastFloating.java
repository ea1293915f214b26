/** Casts between floating and integral types: rounding, saturation, NaN. */
public class CastFloating {
    public static void main(String[] args) {
        double[] ds = {0.0, -0.0, 1.5, -1.5, 2147483647.5, -2147483649.0, 1e19, -1e19, 9.007199254740993e15,
            Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 300.7, -300.7, 65536.9};
        for (double d : ds) {
            System.out.println((int) d + " " + (long) d + " " + (short) d + " " + (byte) d + " " + (int) (char) d);
        }
        float[] fs = {1.9f, -1.9f, 3e9f, -3e9f, 1e20f, Float.NaN, Float.POSITIVE_INFINITY, 16777217f};
        for (float f : fs) {
            System.out.println((int) f + " " + (long) f + " " + (byte) f + " " + (f == (int) f));
        }
        System.out.println((float) 16777217 == 16777216f);
        System.out.println((double) Long.MAX_VALUE == 9.223372036854775807E18);
        System.out.println((long) (double) Long.MAX_VALUE);
        System.out.println((int) (float) Integer.MAX_VALUE);
        System.out.println((float) 1e40 > Float.MAX_VALUE);
        System.out.println((float) 1e-50 == 0f);
        System.out.println((float) 0.1 == 0.1);
    }
}
