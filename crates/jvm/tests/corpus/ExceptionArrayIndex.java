/** Array index out of bounds: message for each load and store. */
public class ExceptionArrayIndex {
    interface Act {
        void run();
    }

    static int n = 3;

    static void go(Act a) {
        try {
            a.run();
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) {
        int[] i = new int[n];
        go(() -> i[n] = 1);
        go(() -> i[-1]++);
        go(() -> System.out.println(i[Integer.MAX_VALUE]));
        byte[] b = new byte[0];
        boolean[] z = new boolean[1];
        char[] c = new char[1];
        short[] s = new short[2];
        long[] l = new long[2];
        float[] f = new float[2];
        double[] d = new double[2];
        Object[] o = new String[n];
        go(() -> b[0] = 1);
        go(() -> System.out.println(b[n]));
        go(() -> z[1] = !z[0]);
        go(() -> z[0] = z[9]);
        go(() -> c[Integer.MIN_VALUE] = 'c');
        go(() -> System.out.println(c[2]));
        go(() -> s[2] = 1);
        go(() -> s[-2]--);
        go(() -> l[2]++);
        go(() -> l[3] = 1);
        go(() -> f[3] = 1);
        go(() -> f[4] += 1);
        go(() -> d[5] *= 2);
        go(() -> d[6] = 0);
        go(() -> o[n] = "");
        go(() -> o[-n] = 5);
        go(() -> System.out.println(o[7]));
        int at = 0;
        try {
            while (true) {
                i[at] = at++;
            }
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println("stopped at " + at + " " + i[2]);
        }
        try {
            i[at = 5] = at = 9;
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(at + " " + e.getMessage());
        }
    }
}
