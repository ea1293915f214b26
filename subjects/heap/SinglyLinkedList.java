package heap;

/** A circular singly linked list of ints with a header. */
public class SinglyLinkedList {
    static class Entry {
        Entry next;
        int element;
    }

    Entry header;
    int size;

    /** Whether the header comes again after {@code size} entries. */
    public boolean repOK() {
        if (header == null) {
            return false;
        }
        int entries = 0;
        Entry[] seen = new Entry[16];
        for (Entry at = header.next; at != header; at = at.next) {
            if (at == null) {
                return false;
            }
            for (int i = 0; i < entries; i++) {
                if (seen[i] == at) {
                    return false;
                }
            }
            if (entries == seen.length) {
                Entry[] more = new Entry[2 * entries];
                System.arraycopy(seen, 0, more, 0, entries);
                seen = more;
            }
            seen[entries++] = at;
        }
        return entries == size;
    }

    /** Puts an element in front of all others. */
    public boolean add(int element) {
        Entry added = new Entry();
        added.element = element;
        added.next = header.next;
        header.next = added;
        size++;
        return true;
    }

    public boolean contains(int element) {
        for (Entry at = header.next; at != header; at = at.next) {
            if (at.element == element) {
                return true;
            }
        }
        return false;
    }

    /** Takes the first entry with this element out; whether there was one. */
    public boolean remove(int element) {
        for (Entry before = header; before.next != header; before = before.next) {
            if (before.next.element == element) {
                before.next = before.next.next;
                size--;
                return true;
            }
        }
        return false;
    }
}
