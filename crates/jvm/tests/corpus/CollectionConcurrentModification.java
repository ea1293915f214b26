/** Changing a collection while iterating over it fails fast. */
public class CollectionConcurrentModification {
    static void go(String what, Runnable r) {
        try {
            r.run();
            System.out.println(what + " passed");
        } catch (java.util.ConcurrentModificationException e) {
            System.out.println(what + " " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        java.util.List<Integer> list = new java.util.ArrayList<>(java.util.List.of(1, 2, 3, 4));
        go("list", () -> {
            for (Integer i : list) {
                if (i == 2) {
                    list.remove(i);
                }
            }
        });
        System.out.println(list);
        go("last but one", () -> {
            for (Integer i : list) {
                if (i == 3) {
                    list.remove(i);
                }
            }
        });
        System.out.println(list);
        java.util.Map<String, Integer> map = new java.util.HashMap<>(java.util.Map.of("a", 1, "b", 2));
        go("map", () -> {
            for (String k : map.keySet()) {
                map.put(k + "x", 0);
            }
        });
        go("map value", () -> {
            for (String k : map.keySet()) {
                map.put(k, 5);
            }
        });
        java.util.TreeMap<Integer, Integer> tree = new java.util.TreeMap<>(java.util.Map.of(1, 1, 2, 2));
        go("tree", () -> tree.forEach((k, v) -> tree.remove(1)));
        java.util.LinkedList<Integer> linked = new java.util.LinkedList<>(java.util.List.of(1, 2, 3));
        go("linked", () -> {
            java.util.Iterator<Integer> it = linked.iterator();
            it.next();
            linked.addFirst(0);
            it.next();
        });
        java.util.List<Integer> sub = list.subList(0, 1);
        list.add(9);
        go("sublist", () -> sub.size());
        java.util.Iterator<Integer> it = list.iterator();
        try {
            it.remove();
        } catch (IllegalStateException e) {
            System.out.println("next first");
        }
        it.next();
        it.remove();
        System.out.println(list);
    }
}
