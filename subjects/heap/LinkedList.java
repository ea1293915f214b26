package heap;

/** A circular doubly linked list of ints with a header, as java.util.LinkedList was before Java 7. */
public class LinkedList {
    static class Entry {
        Entry next;
        Entry previous;
        int element;
    }

    Entry header;
    int size;

    public LinkedList() {
        header = new Entry();
        header.next = header;
        header.previous = header;
    }

    /** Whether {@code next} leads around, {@code previous} back at each step, and {@code size} is that of the circle. */
    public boolean repOK() {
        if (header == null) {
            return false;
        }
        int entries = -1;
        Entry at = header;
        // No entry but the header is met again: both ways to it would have to be its "previous".
        do {
            Entry next = at.next;
            if (next == null || next.previous != at) {
                return false;
            }
            entries++;
            at = next;
        } while (at != header);
        return entries == size;
    }

    /** How many elements there are, counted. */
    public int count() {
        int entries = 0;
        for (Entry at = header.next; at != header; at = at.next) {
            entries++;
        }
        return entries;
    }

    /** Puts an element behind all others. */
    public boolean add(int element) {
        insertBefore(header, element);
        return true;
    }

    private void insertBefore(Entry next, int element) {
        Entry added = new Entry();
        added.element = element;
        Entry previous = next.previous;
        added.next = next;
        added.previous = previous;
        previous.next = added;
        next.previous = added;
        size++;
    }

    public boolean contains(int element) {
        for (Entry at = header.next; at != header; at = at.next) {
            if (at.element == element) {
                return true;
            }
        }
        return false;
    }

    /** The element at a position, taken out. */
    public int remove(int index) {
        if (index < 0 || index >= size) {
            throw new IndexOutOfBoundsException("no element " + index);
        }
        Entry at = header;
        if (index < size >> 1) {
            for (int i = 0; i <= index; i++) {
                at = at.next;
            }
        } else {
            for (int i = size; i > index; i--) {
                at = at.previous;
            }
        }
        at.previous.next = at.next;
        at.next.previous = at.previous;
        size--;
        return at.element;
    }

    /** Adding keeps the list a circle: fails for no valid one. */
    public void addKeeps(int element) {
        add(element);
        assert repOK() && contains(element);
    }
}
