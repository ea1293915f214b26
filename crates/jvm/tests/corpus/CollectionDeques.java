/** ArrayDeque and LinkedList as stacks and queues. */
public class CollectionDeques {
    static void use(java.util.Deque<Integer> d) {
        for (int i = 0; i < 20; i++) {
            if (i % 3 == 0) {
                d.addFirst(i);
            } else {
                d.addLast(i);
            }
        }
        System.out.println(d);
        System.out.println(d.peekFirst() + " " + d.peekLast() + " " + d.pollFirst() + " " + d.pollLast() + " " + d.size());
        d.push(100);
        System.out.println(d.pop() + " " + d.offer(7) + " " + d.remove() + " " + d.removeLast() + " " + d.contains(10));
        System.out.println(d.removeFirstOccurrence(9) + " " + d.removeLastOccurrence(1000));
        java.util.Iterator<Integer> down = d.descendingIterator();
        int sum = 0;
        while (down.hasNext()) {
            sum = sum * 3 + down.next();
        }
        System.out.println(sum);
        d.removeIf(x -> x % 2 == 0);
        System.out.println(d);
        d.clear();
        System.out.println(d.poll() + " " + d.peek() + " " + d.isEmpty());
        try {
            d.removeFirst();
        } catch (java.util.NoSuchElementException e) {
            System.out.println("nothing to remove");
        }
        try {
            d.element();
        } catch (java.util.NoSuchElementException e) {
            System.out.println("nothing there");
        }
    }

    public static void main(String[] args) {
        use(new java.util.ArrayDeque<>());
        use(new java.util.LinkedList<>());
        try {
            new java.util.ArrayDeque<String>().add(null);
        } catch (NullPointerException e) {
            System.out.println("ArrayDeque refuses null");
        }
        java.util.LinkedList<String> l = new java.util.LinkedList<>();
        l.add(null);
        l.add(0, "a");
        l.add(1, "b");
        l.set(2, "c");
        l.remove("b");
        System.out.println(l + " " + l.indexOf("c") + " " + l.getFirst());
        java.util.ListIterator<String> it = l.listIterator();
        it.next();
        it.add("x");
        it.next();
        it.set("y");
        System.out.println(l + " " + it.hasPrevious() + it.previous() + it.nextIndex());
    }
}
