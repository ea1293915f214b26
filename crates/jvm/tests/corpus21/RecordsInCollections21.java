import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Records through streams and switches: orders, totals, classification. */
public class RecordsInCollections21 {
    enum Status { NEW, PAID, SENT }

    record Item(String sku, int count, long cents) {
        long total() {
            return count * cents;
        }
    }

    record Order(int id, Status status, List<Item> items) { }

    static String label(Order o) {
        return switch (o) {
            case Order(int id, Status s, List<Item> items) when items.isEmpty() -> id + " empty " + s;
            case Order(int id, var s, var items) when s == Status.PAID && items.getFirst() instanceof Item(String sku, int n, long c) && n > 1 -> id + " bulk " + sku;
            case Order(int id, Status s, var items) -> id + " " + s.name().toLowerCase() + " " + items.size();
        };
    }

    public static void main(String[] args) {
        List<Order> orders = List.of(new Order(1, Status.NEW, List.of()), new Order(2, Status.PAID, List.of(new Item("pen", 3, 150))),
            new Order(3, Status.PAID, List.of(new Item("ink", 1, 999), new Item("pad", 2, 250))), new Order(4, Status.SENT, List.of(new Item("pen", 1, 150))));
        orders.forEach(o -> System.out.println(label(o)));
        TreeMap<Status, Long> byStatus = orders.stream().collect(Collectors.groupingBy(Order::status, TreeMap::new,
            Collectors.summingLong(o -> o.items().stream().mapToLong(Item::total).sum())));
        System.out.println(byStatus);
        Map<String, Integer> sold = new TreeMap<>();
        for (Order o : orders) {
            if (o instanceof Order(var id, var s, var items) && s != Status.NEW) {
                items.forEach(i -> sold.merge(i.sku(), i.count(), Integer::sum));
            }
        }
        System.out.println(orders.stream().flatMap(o -> o.items().stream()).max(Comparator.comparingLong(Item::total)).get() + " " + sold);
        System.out.println(Arrays.toString(IntStream.range(0, 5).mapToObj(i -> new Item("s" + i, i, i)).mapToLong(Item::total).toArray()));
    }
}
