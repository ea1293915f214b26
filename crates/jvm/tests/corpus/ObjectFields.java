/** Fields of every type, instance and static, final and not, with default values. */
public class ObjectFields {
    boolean z;
    byte b;
    char c;
    short s;
    int i;
    long l;
    float f;
    double d;
    Object o;
    static boolean sz;
    static byte sb;
    static char sc;
    static short ss;
    static int si;
    static long sl;
    static float sf;
    static double sd;
    static Object so;
    final int fixed;
    volatile long vol = 3;
    transient int tr = 4;

    ObjectFields(int fixed) {
        this.fixed = fixed;
    }

    String all() {
        return z + " " + b + " " + (int) c + " " + s + " " + i + " " + l + " " + f + " " + d + " " + o + " " + fixed;
    }

    static String statics() {
        return sz + " " + sb + " " + (int) sc + " " + ss + " " + si + " " + sl + " " + sf + " " + sd + " " + so;
    }

    public static void main(String[] args) {
        ObjectFields x = new ObjectFields(1);
        ObjectFields y = new ObjectFields(2);
        System.out.println(x.all());
        System.out.println(statics());
        x.z = true;
        x.b = (byte) 300;
        x.c = (char) -1;
        x.s = (short) 70000;
        x.i = 1 << 31;
        x.l = x.i;
        x.f = x.l;
        x.d = x.f / 3;
        x.o = y;
        y.o = x;
        System.out.println(x.z + " " + x.b + " " + (int) x.c + " " + x.s + " " + x.i + " " + x.l + " " + (long) x.f + " " + x.d);
        System.out.println(((ObjectFields) ((ObjectFields) x.o).o == x) + " " + y.i);
        sz = !sz;
        sb--;
        sc += 66;
        ss = sb;
        sl = ss * 5L;
        sf = sl;
        sd = sf / 2;
        so = "static";
        System.out.println(statics());
        x.vol += x.tr *= 2;
        System.out.println(x.vol + y.vol + x.tr);
        new ObjectFields(3).l++;
    }
}
