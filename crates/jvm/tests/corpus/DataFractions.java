import java.util.Arrays;

/** Exact fractions: arithmetic, comparison, continued fractions, Egyptian fractions. */
public class DataFractions {
    record Frac(long n, long d) implements Comparable<Frac> {
        Frac {
            if (d == 0) {
                throw new ArithmeticException("zero denominator");
            }
            long g = gcd(Math.abs(n), Math.abs(d));
            if (d < 0) {
                g = -g;
            }
            n /= g;
            d /= g;
        }

        static long gcd(long a, long b) {
            return b == 0 ? a : gcd(b, a % b);
        }

        static Frac of(long n) {
            return new Frac(n, 1);
        }

        Frac plus(Frac o) {
            return new Frac(n * o.d + o.n * d, d * o.d);
        }

        Frac times(Frac o) {
            return new Frac(n * o.n, d * o.d);
        }

        Frac inverse() {
            return new Frac(d, n);
        }

        @Override
        public int compareTo(Frac o) {
            return Long.compare(n * o.d, o.n * d);
        }

        @Override
        public String toString() {
            return d == 1 ? "" + n : n + "/" + d;
        }
    }

    static String egyptian(Frac f) {
        StringBuilder sb = new StringBuilder();
        while (f.n() > 0) {
            long u = (f.d() + f.n() - 1) / f.n();
            sb.append("1/").append(u).append(' ');
            f = f.plus(new Frac(-1, u));
        }
        return sb.toString();
    }

    public static void main(String[] args) {
        Frac h = Frac.of(0);
        for (int i = 1; i <= 10; i++) {
            h = h.plus(new Frac(1, i));
        }
        System.out.println(h + " " + new Frac(6, -8) + " " + new Frac(2, 4).equals(new Frac(1, 2)) + " " + new Frac(3, 4).times(new Frac(4, 3)));
        Frac[] fs = {new Frac(1, 2), new Frac(1, 3), new Frac(-1, 5), new Frac(3, 4)};
        Arrays.sort(fs);
        System.out.println(Arrays.toString(fs) + " " + egyptian(new Frac(6, 7)));
        Frac x = Frac.of(1);
        for (int i = 0; i < 10; i++) {
            x = Frac.of(1).plus(x.inverse());
        }
        System.out.println(x);
        try {
            new Frac(0, 5).inverse();
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
    }
}
