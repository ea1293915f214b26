/** Arguments of every type and number, in order, through each kind of call. */
public class InstructionMethodCalls {
    interface Wide {
        double call(byte a, short b, char c, int d, long e, float f, double g, boolean h, String i, int[] j);
    }

    static double stat(byte a, short b, char c, int d, long e, float f, double g, boolean h, String i, int[] j) {
        return a + b + c + d + e + f + g + (h ? 1 : 0) + i.length() + j[0];
    }

    private double priv(long a, double b, long c, int d) {
        return a * 1000 + b * 100 + c * 10 + d;
    }

    final double fin(int a, long b, float c, double d) {
        return priv((long) a, d, b, (int) c);
    }

    static int trace(StringBuilder sb, int x) {
        sb.append(x);
        return x;
    }

    static int three(int a, int b, int c) {
        return a * 100 + b * 10 + c;
    }

    static long many(long a, long b, long c, long d, long e, long f, long g, long h, double i, double j, double k, int l) {
        return a - b + c - d + e - f + g - h + (long) (i * j / k) + l;
    }

    static void nothing() {
    }

    static boolean flag(boolean b) {
        return !b;
    }

    static byte b(int x) {
        return (byte) x;
    }

    static short s(int x) {
        return (short) x;
    }

    static char c(int x) {
        return (char) x;
    }

    static float f(double x) {
        return (float) x;
    }

    public static void main(String[] args) {
        byte b = 1;
        short s = 2;
        System.out.println(stat(b, s, 'a', 4, 5L, 6f, 7.0, true, "nine", new int[] {10}));
        Wide w = InstructionMethodCalls::stat;
        System.out.println(w.call(b, s, 'b', 4, 5L, 6.5f, 7.25, false, "", new int[] {-1}));
        System.out.println(new InstructionMethodCalls().fin(1, 2L, 3f, 4.0));
        StringBuilder sb = new StringBuilder();
        System.out.println(three(trace(sb, 1), trace(sb, 2) * trace(sb, 3), trace(sb, 4)) + " " + sb);
        System.out.println(many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
        nothing();
        System.out.println(flag(false) + " " + b(300) + " " + s(70000) + " " + (int) c(-1) + " " + f(0.1));
    }
}
