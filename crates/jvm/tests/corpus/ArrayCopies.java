/** clone, System.arraycopy with overlap, and its failures. */
public class ArrayCopies {
    static void show(int[] a) {
        for (int v : a) {
            System.out.print(v + " ");
        }
        System.out.println();
    }

    public static void main(String[] args) {
        int[] a = {1, 2, 3, 4, 5, 6};
        int[] b = a.clone();
        b[0] = 9;
        show(a);
        System.arraycopy(a, 0, a, 2, 4);
        show(a);
        System.arraycopy(b, 2, b, 0, 4);
        show(b);
        int[][] deep = {{1}, {2}};
        int[][] shallow = deep.clone();
        shallow[0][0] = 7;
        System.out.println(deep[0][0] + " " + (shallow[1] == deep[1]));
        Object[] objects = {"a", 1, "b"};
        String[] strings = {"p", "q", "r"};
        System.arraycopy(strings, 0, objects, 1, 2);
        System.out.println(objects[0] + "" + objects[1] + objects[2]);
        objects[1] = 5;
        try {
            System.arraycopy(objects, 0, strings, 0, 3);
        } catch (ArrayStoreException e) {
            System.out.println("stored until " + strings[0] + strings[1] + strings[2]);
        }
        try {
            System.arraycopy(a, 4, b, 0, 3);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getClass().getSimpleName());
        }
        try {
            System.arraycopy(a, 0, new long[9], 0, 3);
        } catch (ArrayStoreException e) {
            System.out.println("types differ");
        }
        try {
            System.arraycopy(a, 0, null, 0, 3);
        } catch (NullPointerException e) {
            System.out.println("null");
        }
        System.arraycopy(a, 6, b, 6, 0);
        char[] cs = "hello".toCharArray();
        System.arraycopy(cs, 0, cs, 1, 4);
        System.out.println(new String(cs));
        long[] ls = {1, 2, 3};
        long[] lc = ls.clone();
        System.out.println(lc[2] + " " + (lc != ls));
    }
}
