/** Expressions that need dup_x1, dup_x2, dup2, dup2_x1, dup2_x2, pop and pop2. */
public class InstructionDups {
    int i;
    long l;
    static long sl;
    static int si;
    int[] is = {1, 2, 3};
    long[] ls = {1, 2, 3};
    double[] ds = {0.5, 1.5};
    String[] ss = {"a", "b"};

    static long effect(long x) {
        si++;
        return x;
    }

    static Object ignored() {
        si += 10;
        return null;
    }

    public static void main(String[] args) {
        InstructionDups o = new InstructionDups();
        int a = o.i = 5;
        int b = o.i++;
        int c = ++o.i;
        long d = o.l = 6;
        long e = o.l++;
        long f = --o.l;
        System.out.println(a + b + c + " " + (d + e + f));
        int g = o.is[1] = 7;
        int h = o.is[1]++;
        int k = o.is[2] += 4;
        long m = o.ls[1] = 8;
        long n = o.ls[1]--;
        long p = o.ls[2] *= 5;
        double q = o.ds[0] += 0.25;
        double r = o.ds[1]++;
        System.out.println(g + h + k + " " + (m + n + p) + " " + (q + r));
        String s = o.ss[0] += "x" + (o.ss[1] = "y");
        System.out.println(s + o.ss[1]);
        long t = sl = 9;
        long u = sl++ + ++sl;
        int v = si = 3;
        int w = si-- - --si;
        System.out.println(t + u + " " + (v + w));
        effect(1L);
        effect(effect(2));
        ignored();
        System.out.println(si);
        int x;
        int y;
        int z = x = y = 11;
        long la;
        long lb = la = z;
        o.i = o.is[0] = x;
        o.l = o.ls[0] = sl = lb;
        System.out.println(x + y + z + la + o.i + o.is[0] + o.l + o.ls[0] + sl);
        Integer boxed = 1;
        Integer old = boxed++;
        Long[] boxes = {1L, 2L};
        Long was = boxes[1]++;
        System.out.println(boxed + old + " " + was + boxes[1]);
    }
}
