/** short, byte and char arrays and fields with sign and zero extension. */
public class InstructionShorts {
    static short[] ss = new short[4];
    static byte[] bs = new byte[4];
    static char[] cs = new char[4];
    static boolean[] zs = new boolean[4];

    static short add(short a, short b) {
        return (short) (a + b);
    }

    public static void main(String[] args) {
        for (int i = 0; i < 4; i++) {
            ss[i] = (short) (i * 20000);
            bs[i] = (byte) (i * 100);
            cs[i] = (char) (i * 40000);
            zs[i] = (i & 1) == 1;
        }
        int t = 0;
        for (int i = 0; i < 4; i++) {
            t += ss[i] + bs[i] * 3 + cs[i] + (zs[i] ? 7 : 0);
            System.out.print(ss[i] + " " + bs[i] + " " + (int) cs[i] + " " + zs[i] + "; ");
        }
        System.out.println(t);
        ss[1] += ss[1];
        ss[2]--;
        bs[1] <<= 2;
        bs[2] >>>= 1;
        cs[3] -= 1;
        cs[0]--;
        zs[0] |= zs[1] & !zs[2];
        zs[3] ^= true;
        System.out.println(ss[1] + " " + ss[2] + " " + bs[1] + " " + bs[2] + " " + (int) cs[3] + " " + (int) cs[0] + " " + zs[0] + zs[3]);
        System.out.println(add((short) 30000, (short) 30000));
        long sum = 0;
        for (short s = 32760; s > 0; s++) {
            sum += s;
        }
        System.out.println(sum);
    }
}
