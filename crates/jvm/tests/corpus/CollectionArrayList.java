/** ArrayList: growth, insertion, removal, views, failures. */
public class CollectionArrayList {
    public static void main(String[] args) {
        java.util.ArrayList<Integer> list = new java.util.ArrayList<>();
        for (int i = 0; i < 25; i++) {
            list.add(i * i % 17);
        }
        System.out.println(list + " " + list.size());
        list.add(3, 99);
        list.remove(0);
        list.set(1, -1);
        System.out.println(list.indexOf(99) + " " + list.lastIndexOf(1) + " " + list.contains(16) + " " + list.indexOf(1000) + " " + list.get(24));
        list.removeIf(x -> x > 5);
        System.out.println(list);
        list.replaceAll(x -> x * 2);
        list.addAll(java.util.Arrays.asList(7, 8));
        list.addAll(1, java.util.List.of(100, 200));
        System.out.println(list + " " + list.hashCode());
        java.util.List<Integer> sub = list.subList(1, 3);
        sub.clear();
        System.out.println(list + " " + sub.isEmpty());
        System.out.println(list.equals(new java.util.LinkedList<>(list)) + " " + list.equals(java.util.List.of()));
        try {
            list.get(100);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            list.add(-1, 0);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            java.util.List.of(1).add(2);
        } catch (UnsupportedOperationException e) {
            System.out.println("immutable");
        }
        Integer[] array = list.toArray(new Integer[0]);
        System.out.println(array.length + " " + array[0] + " " + list.toArray().length);
        list.clear();
        System.out.println(list.isEmpty() + "" + list);
        list.ensureCapacity(50);
        list.trimToSize();
        list.add(null);
        System.out.println(list + " " + list.contains(null));
    }
}
