/** Arrays beyond any limit fail with an error that can be caught. */
public class ArrayTooLarge {
    static int tries;

    static void make(int n) {
        try {
            tries++;
            int[] a = new int[n];
            System.out.println(a.length);
        } catch (OutOfMemoryError e) {
            System.out.println(e.getMessage());
        } finally {
            tries += 10;
        }
    }

    public static void main(String[] args) {
        make(4);
        make(Integer.MAX_VALUE);
        make(Integer.MAX_VALUE - 1);
        try {
            Object[] o = new Object[Integer.MAX_VALUE];
            System.out.println(o.length);
        } catch (Error e) {
            System.out.println(e);
        }
        System.out.println(tries);
    }
}
