/** Arrays of every element type: default values, stores, loads, length, nesting. */
public class ArrayBasics {
    public static void main(String[] args) {
        boolean[] z = new boolean[2];
        byte[] b = new byte[2];
        char[] c = new char[2];
        short[] s = new short[2];
        int[] i = new int[2];
        long[] l = new long[2];
        float[] f = new float[2];
        double[] d = new double[2];
        String[] t = new String[2];
        System.out.println(z[0] + " " + b[0] + " " + (int) c[0] + " " + s[0] + " " + i[0] + " " + l[0] + " " + f[0] + " "
            + d[0] + " " + t[0]);
        z[1] = true;
        b[1] = (byte) 200;
        c[1] = '\u20ac';
        s[1] = (short) 40000;
        i[1] = -1;
        l[1] = 1L << 50;
        f[1] = 1.5f;
        d[1] = 2.25;
        t[1] = "x";
        System.out.println(z[1] + " " + b[1] + " " + (int) c[1] + " " + s[1] + " " + i[1] + " " + l[1] + " " + f[1] + " "
            + d[1] + " " + t[1]);
        System.out.println(z.length + b.length + c.length + s.length + i.length + l.length + f.length + d.length + t.length);
        int[] init = {3, 1, 2};
        int sum = 0;
        for (int v : init) {
            sum = sum * 10 + v;
        }
        System.out.println(sum + " " + new int[] {7, 8}[1] + " " + new String[0].length);
        int idx = 0;
        init[idx] = idx = 2;
        System.out.println(init[0] + " " + idx);
        int[] alias = init;
        alias[1] = 99;
        System.out.println(init[1] + " " + (alias == init) + " " + alias.equals(init.clone()));
    }
}
