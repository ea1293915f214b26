/** Constants of every kind: small, byte, short, pool entries, wide pool entries, class constants. */
public class InstructionConstants {
    public static void main(String[] args) {
        System.out.println(-1 + 0 + 1 + 2 + 3 + 4 + 5);
        int m1 = -1;
        int zero = 0;
        int five = 5;
        int six = 6;
        int b = -128;
        int s = 32767;
        int s2 = -32768;
        int p = 32768;
        int q = -32769;
        long l0 = 0L;
        long l1 = 1L;
        long l2 = 2L;
        long lbig = 0x7fffffffffffffffL;
        float f0 = 0f;
        float f1 = 1f;
        float f2 = 2f;
        float f3 = 3f;
        float fn = -0f;
        double d0 = 0.0;
        double d1 = 1.0;
        double d2 = 2.0;
        double dn = -0.0;
        System.out.println(m1 + zero + five + six + b + s + s2 + p + q + l0 + l1 + l2 + lbig);
        System.out.println(f0 + f1 + f2 + f3 + " " + fn + " " + (d0 + d1 + d2) + " " + dn + " " + 1 / fn + " " + 1 / dn);
        System.out.println(String.class.getName() + " " + int.class + " " + int[].class.getName() + " " + Object[][].class.getSimpleName() + " " + void.class);
        String t = "\0\t\n\\\"'\u007f";
        System.out.println(t.length() + " " + t.hashCode());
        char c = '\uffff';
        boolean yes = true;
        boolean no = false;
        Object nothing = null;
        System.out.println((int) c + " " + yes + no + nothing);
        System.out.println(0b1010 + 0777 + 0xCAFE + 1_000_000 + 'a' + 0x1.8p1 + 1e-5f + 100L);
        System.out.println(Integer.MAX_VALUE + 1 + " " + (byte) 0xff + " " + (char) 65 + " " + 07L);
    }
}
