/** and, or, xor, complement on int, long, boolean and mixed widths. */
public class BitwiseOps {
    static boolean say(String what, boolean value) {
        System.out.print(what);
        return value;
    }

    public static void main(String[] args) {
        int a = 0b1100;
        int b = 0b1010;
        System.out.println((a & b) + " " + (a | b) + " " + (a ^ b) + " " + ~a + " " + (a & ~b));
        long la = 0xff00ff00ff00ff00L;
        System.out.println((la & a) + " " + (la | b) + " " + (la ^ -1) + " " + ~la);
        System.out.println(say("x", false) & say("y", true));
        System.out.println(say("x", true) | say("y", false));
        System.out.println(say("x", true) ^ say("y", true));
        System.out.println(say("x", false) && say("y", true));
        System.out.println(say("x", true) || say("y", false));
        boolean t = true;
        t &= false;
        System.out.println(t);
        t |= true;
        t ^= false;
        System.out.println(t + " " + !t);
        int swapA = 5;
        int swapB = 9;
        swapA ^= swapB;
        swapB ^= swapA;
        swapA ^= swapB;
        System.out.println(swapA + "," + swapB);
        byte m = (byte) 0x80;
        System.out.println((m & 0xff) + " " + (m | 1) + " " + (byte) ~m);
    }
}
