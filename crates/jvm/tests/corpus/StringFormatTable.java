/** printf in a loop: a small table with alignment. */
public class StringFormatTable {
    public static void main(String[] args) {
        String[] names = {"bolt", "washer", "nut"};
        int[] counts = {12, 3456, -7};
        double[] prices = {0.255, 12.5, 100};
        System.out.printf("%-8s|%8s|%10s%n", "name", "count", "price");
        for (int i = 0; i < names.length; i++) {
            System.out.printf("%-8s|%8d|%10.2f%n", names[i], counts[i], prices[i]);
        }
        System.out.println(String.format("%03d %s %b %c %5.1f%%", 7, null, false, 'z', 99.95));
        try {
            String.format("%d", "text");
        } catch (java.util.IllegalFormatException e) {
            System.out.println(e.getMessage());
        }
    }
}
