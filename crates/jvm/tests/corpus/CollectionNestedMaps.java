import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Maps of maps and lists: inventories, inverted indices, transposition, ranking. */
public class CollectionNestedMaps {
    public static void main(String[] args) {
        Map<String, Map<String, Integer>> stock = new TreeMap<>();
        String[] moves = {"north apple 5", "south pear 2", "north pear 7", "north apple -3", "east fig 0", "south pear 1"};
        for (String m : moves) {
            String[] p = m.split(" ");
            stock.computeIfAbsent(p[0], k -> new TreeMap<>()).merge(p[1], Integer.parseInt(p[2]), (a, b) -> a + b == 0 ? null : a + b);
        }
        System.out.println(stock);
        Map<String, List<String>> where = new TreeMap<>();
        stock.forEach((place, goods) -> goods.keySet().forEach(g -> where.computeIfAbsent(g, k -> new ArrayList<>()).add(place)));
        System.out.println(where);
        Map<String, Integer> totals = new HashMap<>();
        for (Map<String, Integer> goods : stock.values()) {
            for (Map.Entry<String, Integer> e : goods.entrySet()) {
                totals.merge(e.getKey(), e.getValue(), Integer::sum);
            }
        }
        List<Map.Entry<String, Integer>> ranked = new ArrayList<>(totals.entrySet());
        ranked.sort(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder()).thenComparing(Map.Entry.comparingByKey()));
        System.out.println(ranked);
        stock.values().removeIf(Map::isEmpty);
        stock.get("north").clear();
        System.out.println(stock + " " + stock.containsKey("west") + " " + totals.values().stream().mapToInt(x -> x).sum());
        Map<Boolean, Map<Integer, String>> odd = new HashMap<>();
        for (int i = 0; i < 6; i++) {
            odd.computeIfAbsent(i % 2 == 1, k -> new HashMap<>()).put(i, "v" + i);
        }
        System.out.println(odd.get(true) + " " + odd.get(false).keySet() + " " + odd.get(null));
    }
}
