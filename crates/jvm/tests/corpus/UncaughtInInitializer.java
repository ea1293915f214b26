/** An exception while the main class is initialized. */
public class UncaughtInInitializer {
    static int[] table = {1, 2, 3};
    static int bad = pick(table.length);

    static int pick(int i) {
        System.out.println("picking " + i);
        return table[i];
    }

    public static void main(String[] args) {
        System.out.println("not reached");
    }
}
