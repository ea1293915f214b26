/** int addition, subtraction, multiplication and negation around the ends of the range. */
public class ArithIntOverflow {
    static final int[] EDGES = {0, 1, -1, 2, 46341, -46341, 65536, Integer.MAX_VALUE, Integer.MIN_VALUE, 0x55555555};

    public static void main(String[] args) {
        for (int a : EDGES) {
            System.out.println(a + " neg " + (-a) + " abs " + Math.abs(a) + " inc " + (a + 1) + " dec " + (a - 1));
            for (int b : EDGES) {
                System.out.print((a + b) + " " + (a - b) + " " + (a * b) + "; ");
            }
            System.out.println();
        }
        int h = 17;
        for (int i = 0; i < 40; i++) {
            h = h * 31 + i;
        }
        System.out.println(h);
    }
}
