/** Endless recursion ends in a StackOverflowError that can be caught, and the program goes on. */
public class RecursionOverflow {
    static int depth;

    static int down(int n) {
        depth++;
        return down(n + 1) + 1;
    }

    static void inFinally(int[] seen) {
        try {
            inFinally(seen);
        } finally {
            seen[0] = 1;
        }
    }

    public static void main(String[] args) {
        try {
            down(0);
            System.out.println("not reached");
        } catch (StackOverflowError e) {
            System.out.println("caught " + (depth > 500) + " " + (e.getMessage() == null));
        }
        int before = depth;
        try {
            down(0);
        } catch (Error e) {
            System.out.println(e.getClass().getName() + " again " + (depth > before));
        }
        int[] seen = new int[1];
        try {
            inFinally(seen);
        } catch (StackOverflowError e) {
            System.out.println("unwound " + seen[0]);
        }
        System.out.println("alive");
    }
}
