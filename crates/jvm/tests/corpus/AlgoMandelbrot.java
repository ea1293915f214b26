/** Floating point loops: Mandelbrot in letters, Newton roots, Simpson integration, Kahan summation. */
public class AlgoMandelbrot {
    public static void main(String[] args) {
        for (double y = -1.2; y <= 1.2; y += 0.3) {
            StringBuilder sb = new StringBuilder();
            for (double x = -2; x <= 0.6; x += 0.1) {
                double a = 0;
                double b = 0;
                int n = 0;
                while (a * a + b * b <= 4 && n < 26) {
                    double t = a * a - b * b + x;
                    b = 2 * a * b + y;
                    a = t;
                    n++;
                }
                sb.append(n == 26 ? '*' : (char) ('a' + n));
            }
            System.out.println(sb);
        }
        double r = 10;
        for (int i = 0; i < 20; i++) {
            r = (r + 2 / r) / 2;
        }
        System.out.println(r == Math.sqrt(2) || Math.abs(r - Math.sqrt(2)) < 1e-15);
        double area = 0;
        int n = 100;
        for (int i = 0; i <= n; i++) {
            double x = (double) i / n;
            area += (i == 0 || i == n ? 1 : i % 2 == 1 ? 4 : 2) * x * x * x;
        }
        System.out.println((float) (area / 3 / n));
        float plain = 0;
        float sum = 0;
        float c = 0;
        for (int i = 0; i < 10000; i++) {
            plain += 0.1f;
            float y = 0.1f - c;
            float t = sum + y;
            c = t - sum - y;
            sum = t;
        }
        System.out.println(plain + " " + sum);
    }
}
