/** switch on int: dense, sparse, negative labels, fall through, default in the middle. */
public class SwitchInt {
    static String dense(int x) {
        switch (x) {
            case 0:
                return "zero";
            case 1:
            case 2:
                return "few";
            case 3:
                break;
            case 5:
                return "five";
            default:
                return "many";
        }
        return "three";
    }

    static int sparse(int x) {
        int r = 0;
        switch (x) {
            case Integer.MIN_VALUE:
                r += 1;
            case -1000000:
                r += 10;
                break;
            default:
                r += 100;
            case 7:
                r += 1000;
                break;
            case Integer.MAX_VALUE:
                r += 10000;
        }
        return r;
    }

    static String typed(byte b, char c, short s) {
        String out = "";
        switch (b) {
            case -128: out += "min"; break;
            case 127: out += "max"; break;
        }
        switch (c) {
            case 'a': case 'e': out += "vowel"; break;
            case '\uffff': out += "last"; break;
            default: out += "other";
        }
        switch (s) { }
        return out;
    }

    public static void main(String[] args) {
        for (int i = -1; i < 7; i++) {
            System.out.println(dense(i));
        }
        for (int x : new int[] {Integer.MIN_VALUE, -1000000, 0, 7, Integer.MAX_VALUE}) {
            System.out.println(sparse(x));
        }
        System.out.println(typed((byte) 128, 'e', (short) 0) + typed((byte) 127, '\uffff', (short) 1));
    }
}
