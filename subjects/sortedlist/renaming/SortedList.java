/** As v0, with other names of fields and variables. */
public class SortedList {
    private static final class Cell {
        final int key;
        Cell tail;

        Cell(int key, Cell tail) {
            this.key = key;
            this.tail = tail;
        }
    }

    private Cell head;
    private int size;

    public int size() {
        return size;
    }

    public void insert(int key) {
        size++;
        if (head == null || key <= head.key) {
            head = new Cell(key, head);
            return;
        }
        Cell here = head;
        while (here.tail != null && here.tail.key < key) {
            here = here.tail;
        }
        here.tail = new Cell(key, here.tail);
    }

    /** Removes one occurrence; false if there is none. */
    public boolean remove(int key) {
        Cell last = null;
        for (Cell here = head; here != null && here.key <= key; here = here.tail) {
            if (here.key == key) {
                if (last == null) {
                    head = here.tail;
                } else {
                    last.tail = here.tail;
                }
                size--;
                return true;
            }
            last = here;
        }
        return false;
    }

    public boolean contains(int key) {
        Cell here = head;
        while (here != null && here.key < key) {
            here = here.tail;
        }
        return here != null && here.key == key;
    }

    public boolean isSorted() {
        int seen = 0;
        for (Cell here = head; here != null; here = here.tail) {
            seen++;
            if (here.tail != null && here.key > here.tail.key) {
                return false;
            }
        }
        return seen == size;
    }
}
