/** As v0, but the keys of a list are only looked at from the second on. */
public class SortedList {
    private static final class Node {
        final int key;
        Node next;

        Node(int key, Node next) {
            this.key = key;
            this.next = next;
        }
    }

    private Node first;
    private int size;

    public int size() {
        return size;
    }

    public void insert(int key) {
        size++;
        if (first == null) {
            first = new Node(key, first);
            return;
        }
        Node at = first;
        while (at.next != null && at.next.key < key) {
            at = at.next;
        }
        at.next = new Node(key, at.next);
    }

    /** Removes one occurrence; false if there is none. */
    public boolean remove(int key) {
        Node before = null;
        for (Node at = first; at != null && at.key <= key; at = at.next) {
            if (at.key == key) {
                if (before == null) {
                    first = at.next;
                } else {
                    before.next = at.next;
                }
                size--;
                return true;
            }
            before = at;
        }
        return false;
    }

    public boolean contains(int key) {
        Node at = first;
        while (at != null && at.key < key) {
            at = at.next;
        }
        return at != null && at.key == key;
    }

    public boolean isSorted() {
        int seen = 0;
        for (Node at = first; at != null; at = at.next) {
            seen++;
            if (at.next != null && at.key > at.next.key) {
                return false;
            }
        }
        return seen == size;
    }
}
