/** long, float and double comparisons in every jump position. */
public class InstructionLongCompare {
    static String l(long a, long b) {
        StringBuilder s = new StringBuilder();
        if (a == b) s.append("eq ");
        if (a != b) s.append("ne ");
        if (a < b) s.append("lt ");
        if (a <= b) s.append("le ");
        if (a > b) s.append("gt ");
        if (a >= b) s.append("ge ");
        return s.toString();
    }

    static String d(double a, double b) {
        StringBuilder s = new StringBuilder();
        if (a == b) s.append("eq ");
        if (a != b) s.append("ne ");
        if (a < b) s.append("lt ");
        if (a <= b) s.append("le ");
        if (a > b) s.append("gt ");
        if (a >= b) s.append("ge ");
        return s.toString();
    }

    static String f(float a, float b) {
        String s = "";
        while (!(a < b)) {
            s += "nlt ";
            break;
        }
        while (!(a <= b)) {
            s += "nle ";
            break;
        }
        while (!(a > b)) {
            s += "ngt ";
            break;
        }
        while (!(a >= b)) {
            s += "nge ";
            break;
        }
        return s;
    }

    static int zero(int x) {
        int r = 0;
        if (x < 0) r += 1;
        if (x <= 0) r += 2;
        if (x > 0) r += 4;
        if (x >= 0) r += 8;
        if (x == 0) r += 16;
        if (x != 0) r += 32;
        return r;
    }

    public static void main(String[] args) {
        System.out.println(l(1, 2) + l(2, 1) + l(5, 5) + l(Long.MIN_VALUE, Long.MAX_VALUE) + l(1L << 32, 0));
        System.out.println(d(1, 2) + d(2, 1) + d(0.0, -0.0) + d(Double.NaN, 0) + d(Double.NEGATIVE_INFINITY, -1e308));
        System.out.println(f(1, 2) + "|" + f(2, 1) + "|" + f(Float.NaN, 1) + "|" + f(1, Float.NaN) + "|" + f(1, 1));
        System.out.println(zero(-1) + " " + zero(0) + " " + zero(1) + " " + zero(Integer.MIN_VALUE));
        int n = 0;
        for (long i = Integer.MAX_VALUE - 2L; i < Integer.MAX_VALUE + 3L; i++) {
            n++;
        }
        for (double x = 0; x != 1.0 && n < 30; x += 0.1) {
            n++;
        }
        System.out.println(n);
    }
}
