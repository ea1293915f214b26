/** long arithmetic at the ends of the range. */
public class ArithLongOverflow {
    public static void main(String[] args) {
        long[] edges = {0L, 1L, -1L, 3037000500L, 4294967296L, Long.MAX_VALUE, Long.MIN_VALUE, 0x0123456789abcdefL};
        for (long a : edges) {
            for (long b : edges) {
                System.out.print(a + b);
                System.out.print(' ');
                System.out.print(a - b);
                System.out.print(' ');
                System.out.print(a * b);
                System.out.print('\n');
            }
            System.out.println(-a);
            System.out.println(~a);
        }
        long x = 1;
        for (int i = 1; i <= 25; i++) {
            x *= i;
        }
        System.out.println(x);
    }
}
