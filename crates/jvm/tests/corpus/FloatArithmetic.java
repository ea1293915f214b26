/** float and double arithmetic, the remainder included; strictfp is allowed and says nothing new. */
public class FloatArithmetic {
    static strictfp double third(double x) {
        return x / 3 * 3;
    }

    public static void main(String[] args) {
        System.out.println(0.1 + 0.2);
        System.out.println(0.1f + 0.2f);
        System.out.println(1e308 * 10 + " " + 1e-320 / 1e10 + " " + 5e-324 / 2);
        double[] xs = {5.5, -5.5, 1e17, 0.3};
        double[] ys = {2.0, -2.0, 0.1, Double.POSITIVE_INFINITY};
        for (double x : xs) {
            for (double y : ys) {
                System.out.print(x % y + " ");
            }
            System.out.println();
        }
        System.out.println(5.5f % 2f + " " + -7f % 3f + " " + 1f % 0f + " " + Float.POSITIVE_INFINITY % 2f);
        System.out.println(third(0.7) + " " + third(1e-300));
        float sum = 0;
        double total = 0;
        for (int i = 1; i <= 100; i++) {
            sum += 1f / i;
            total += 1d / i;
        }
        System.out.println(sum + " " + total);
        System.out.println((float) total + " " + (double) sum);
        System.out.println(-sum * 2 - total / -4);
        float f = 16777216f;
        System.out.println(f + 1 == f);
        System.out.println(1.0f * Integer.MAX_VALUE + " " + 1.0 * Integer.MAX_VALUE);
    }
}
