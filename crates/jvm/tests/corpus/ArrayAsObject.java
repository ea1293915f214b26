/** Arrays are objects: identity, hash codes, class, interfaces, fields holding Object. */
public class ArrayAsObject {
    static Object hold;

    static int count(Object o) {
        if (o instanceof Object[] os) {
            int n = 0;
            for (Object x : os) {
                n += count(x);
            }
            return n;
        }
        if (o instanceof int[]) {
            return ((int[]) o).length;
        }
        return o == null ? 0 : 1;
    }

    public static void main(String[] args) {
        int[] a = {1, 2};
        hold = a;
        System.out.println(hold.equals(a) + " " + hold.equals(new int[] {1, 2}) + " " + (hold.hashCode() == a.hashCode()) + " " + hold.toString().startsWith("[I@"));
        Object[] tree = {1, new Object[] {2, 3, new int[] {4, 5, 6}}, null, new String[] {"x", null}, new int[0][]};
        System.out.println(count(tree));
        Comparable<?>[] cs = new String[] {"s"};
        Object[] os = cs;
        System.out.println(os.getClass().getSimpleName() + os[0] + (os instanceof Comparable[]) + (os instanceof Integer[]));
        try {
            os[0] = 1;
        } catch (ArrayStoreException e) {
            System.out.println(e.getMessage());
        }
        Object[][] grid = new Integer[2][2];
        try {
            grid[0] = new Object[1];
        } catch (ArrayStoreException e) {
            System.out.println(e.getMessage());
        }
        grid[1] = new Integer[] {7};
        System.out.println(grid[1][0] + " " + grid[0].length + " " + a.getClass().getComponentType());
        Cloneable c = a;
        java.io.Serializable s = new int[3][3];
        System.out.println(((int[]) c)[1] + ((int[][]) s).length);
        final int[] fixed = {1};
        fixed[0]++;
        System.out.println(fixed[0] + new int[][] {{1}, {2, 3}}[1][1] + new int[] {4, 5, 6}.length);
    }
}
