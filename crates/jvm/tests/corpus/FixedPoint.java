/** 16.16 fixed point arithmetic against doubles. */
public class FixedPoint {
    static int of(double d) {
        return (int) Math.round(d * 65536);
    }

    static int mul(int a, int b) {
        return (int) ((long) a * b >> 16);
    }

    static int div(int a, int b) {
        return (int) (((long) a << 16) / b);
    }

    static int sqrt(int a) {
        long v = (long) a << 16;
        long r = 0;
        for (long bit = 1L << 46; bit != 0; bit >>= 2) {
            if (v >= r + bit) {
                v -= r + bit;
                r = (r >> 1) + bit;
            } else {
                r >>= 1;
            }
        }
        return (int) r;
    }

    static String text(int a) {
        String s = a < 0 ? "-" : "";
        long m = Math.abs((long) a);
        s += m >> 16;
        s += ".";
        long frac = m & 0xffff;
        for (int i = 0; i < 4; i++) {
            frac *= 10;
            s += frac >> 16;
            frac &= 0xffff;
        }
        return s;
    }

    public static void main(String[] args) {
        System.out.println(text(of(3.25)) + " " + text(of(-0.5)) + " " + text(mul(of(1.5), of(-2.5))) + " " + text(div(of(1), of(3))));
        System.out.println(text(sqrt(of(2))) + " " + text(sqrt(of(144))) + " " + text(Integer.MIN_VALUE));
        int sum = 0;
        for (int i = 1; i <= 10; i++) {
            sum += div(of(1), of(i));
        }
        System.out.println(text(sum) + " " + sum / 65536.0);
        try {
            div(1, 0);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
    }
}
