/** Shortest decimal writing of float and double. */
public class FloatToText {
    public static void main(String[] args) {
        double[] ds = {1, 10, 100, 1e6, 9999999, 1e7, 12345678.9, 1e21, 1e-3, 9.999e-4, 123e-7, 1.0 / 3, 2.0 / 3, 100.0 / 3,
            Double.MAX_VALUE, Double.MIN_NORMAL, Math.E, 4.35, 0.5, 1e15, 123456789012345680.0};
        for (double d : ds) {
            System.out.println(d);
        }
        float[] fs = {1, 0.1f, 1e7f, 1.0E10f, 3.4028235E38f, 1f / 3, 16777216, 0.001f, 9.9e-4f, 100.25f};
        for (float f : fs) {
            System.out.println(f);
        }
        StringBuilder sb = new StringBuilder();
        sb.append(1.25).append(' ').append(2.5f).append(' ').append(-0.0);
        System.out.println(sb);
        System.out.println(Double.toString(42) + Float.toString(-7.5f) + String.valueOf(1e100));
    }
}
