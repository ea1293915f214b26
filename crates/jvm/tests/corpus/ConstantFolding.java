/** What the compiler folds and what stays: both must agree. */
public class ConstantFolding {
    static final int A = 3;
    static final long B = A * 1000L + 7;
    static final String S = "v" + A + B + 1.5f + true + 'c' + null;
    static final boolean DEBUG = false;
    static final char C = 'a' + 1;
    static final byte BYTE = (byte) 200;
    static final double D = 1 / 3.0;

    static int a = 3;
    static long b = a * 1000L + 7;
    static String s = "v" + a + b + 1.5f + true + 'c' + null;
    static char c = (char) ('a' + a - 2);

    public static void main(String[] args) {
        System.out.println(A + B + " " + S.equals(s) + " " + (S == S.intern()) + " " + (c == C) + " " + (B == b) + " " + BYTE + " " + (D == 1.0 / a));
        if (DEBUG) {
            System.out.println("removed");
        }
        int x = A << 30 >>> 3;
        int y = a << 30 >>> 3;
        System.out.println(x == y);
        System.out.println((Integer.MAX_VALUE + 1 < 0) + " " + (0.1 + 0.2 == 0.3) + " " + (0.1f + 0.2f == 0.3f) + " " + (5 / 2 * 2.0) + " " + (char) (C + 1) + (C + 1));
        final int local = 5;
        switch (a + 2) {
            case local:
                System.out.println("local constant");
                break;
            case A:
                System.out.println("field constant");
        }
        float f = 0.1f;
        double d = 0.1;
        System.out.println((f + f == 0.2f) + " " + (d + f) + " " + (float) (d * 3) + " " + (long) (f * 1e10));
        System.out.println(1 - -1 + " " + ~-1 + " " + (-5 >> 1) + " " + (-5 >>> 30) + " " + (-5 / 2) + " " + -5 % 3 + " " + (byte) (127 + 1));
        System.out.println("a" + (A > 2 ? "b" : "c") + (a > 2 ? 1 : 'x'));
        while (!DEBUG) {
            break;
        }
    }
}
