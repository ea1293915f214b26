/** Storing the wrong class into a covariant array; negative sizes. */
public class ExceptionArrayStore {
    static void store(Object[] array, Object value) {
        try {
            array[0] = value;
            System.out.println("stored " + array[0]);
        } catch (ArrayStoreException e) {
            System.out.println(e.getMessage());
        }
    }

    static void size(int n) {
        try {
            System.out.println(new int[n].length);
        } catch (NegativeArraySizeException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(new String[n].length);
        } catch (NegativeArraySizeException e) {
            System.out.println(e);
        }
        try {
            System.out.println(new long[2][n][1].length);
        } catch (NegativeArraySizeException e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) {
        store(new Object[1], 1);
        store(new String[1], "s");
        store(new String[1], 1);
        store(new Number[1], 2.5);
        store(new Integer[1], 2.5);
        store(new Comparable[1], 'c');
        store(new Runnable[1], "r");
        store(new int[1][], new int[0]== null ? null : "no");
        store(new Object[1][], null);
        size(3);
        size(-5);
        size(Integer.MIN_VALUE);
    }
}
