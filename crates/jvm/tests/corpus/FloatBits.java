/** Raw bits of floating values and back. */
public class FloatBits {
    public static void main(String[] args) {
        float[] fs = {0f, -0f, 1f, -2f, 0.1f, Float.MAX_VALUE, Float.MIN_VALUE, Float.MIN_NORMAL, Float.NaN,
            Float.NEGATIVE_INFINITY};
        for (float f : fs) {
            System.out.println(Float.floatToIntBits(f) + " " + Integer.toHexString(Float.floatToRawIntBits(f)));
        }
        double[] ds = {0.0, -0.0, 1.0, 0.1, Math.PI, Double.MAX_VALUE, Double.MIN_VALUE, Double.NaN};
        for (double d : ds) {
            System.out.println(Double.doubleToLongBits(d) + " " + Long.toHexString(Double.doubleToRawLongBits(d)));
        }
        System.out.println(Float.intBitsToFloat(0x40490fdb));
        System.out.println(Double.longBitsToDouble(0x400921fb54442d18L));
        System.out.println(Double.longBitsToDouble(0x7ff0000000000001L));
        System.out.println(Math.getExponent(1024.5) + " " + Math.ulp(1.0) + " " + Math.nextUp(1.0f));
        System.out.println(Double.hashCode(1.5) + " " + Float.hashCode(1.5f) + " " + Double.valueOf(-0.0).hashCode());
    }
}
