/** Division and remainder: truncation toward zero, signs, MIN_VALUE / -1. */
public class ArithDivRem {
    public static void main(String[] args) {
        int[] xs = {7, -7, 0, 1, Integer.MIN_VALUE, Integer.MAX_VALUE};
        int[] ys = {2, -2, 1, -1, 3, Integer.MIN_VALUE, Integer.MAX_VALUE};
        for (int x : xs) {
            for (int y : ys) {
                System.out.println(x + " / " + y + " = " + x / y + " rem " + x % y);
            }
        }
        long[] ls = {9L, -9L, Long.MIN_VALUE, Long.MAX_VALUE};
        for (long x : ls) {
            for (int y : ys) {
                System.out.println(x / y + " " + x % y);
            }
        }
        System.out.println(Math.floorDiv(-7, 2) + " " + Math.floorMod(-7, 2) + " " + Math.floorMod(7, -3));
        System.out.println(Math.floorDiv(-7L, 2L) + " " + Math.floorMod(-7L, 3));
    }
}
