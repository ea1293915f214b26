/**
 * A map from ints to ints as a red-black tree [Guibas, Sedgewick FOCS'78]; keys are asked for equality first,
 * then for order, as the papers' class does. {@code subjects/treemap} asks for order alone.
 */
public class TreeMap {
    static final boolean RED = false;
    static final boolean BLACK = true;

    static final class Entry {
        int key;
        int value;
        Entry left;
        Entry right;
        Entry parent;
        boolean color = BLACK;

        Entry(int key, int value, Entry parent) {
            this.key = key;
            this.value = value;
            this.parent = parent;
        }
    }

    Entry root;
    private int size;

    public int size() {
        return size;
    }

    /** The value of a key, or {@code otherwise} if there is none. */
    public int get(int key, int otherwise) {
        Entry entry = entryOf(key);
        return entry == null ? otherwise : entry.value;
    }

    public boolean containsKey(int key) {
        return entryOf(key) != null;
    }

    private Entry entryOf(int key) {
        Entry at = root;
        while (at != null) {
            if (key == at.key) {
                return at;
            }
            at = key < at.key ? at.left : at.right;
        }
        return null;
    }

    public void put(int key, int value) {
        if (root == null) {
            root = new Entry(key, value, null);
            size = 1;
            return;
        }
        Entry at = root;
        while (true) {
            if (key == at.key) {
                at.value = value;
                return;
            } else if (key < at.key) {
                if (at.left == null) {
                    at.left = new Entry(key, value, at);
                    at = at.left;
                    break;
                }
                at = at.left;
            } else {
                if (at.right == null) {
                    at.right = new Entry(key, value, at);
                    at = at.right;
                    break;
                }
                at = at.right;
            }
        }
        size++;
        afterInsertion(at);
    }

    /** Removes a key; false if it was not there. */
    public boolean remove(int key) {
        Entry gone = entryOf(key);
        if (gone == null) {
            return false;
        }
        size--;
        if (gone.left != null && gone.right != null) {
            Entry next = gone.right;
            while (next.left != null) {
                next = next.left;
            }
            gone.key = next.key;
            gone.value = next.value;
            gone = next;
        }
        Entry child = gone.left != null ? gone.left : gone.right;
        if (child != null) {
            hang(gone, child);
            if (gone.color == BLACK) {
                afterDeletion(child);
            }
        } else if (gone.parent == null) {
            root = null;
        } else {
            if (gone.color == BLACK) {
                afterDeletion(gone);
            }
            hang(gone, null);
        }
        return true;
    }

    /** Puts {@code fresh} where {@code old} hangs. */
    private void hang(Entry old, Entry fresh) {
        Entry parent = old.parent;
        if (parent == null) {
            root = fresh;
        } else if (parent.left == old) {
            parent.left = fresh;
        } else {
            parent.right = fresh;
        }
        if (fresh != null) {
            fresh.parent = parent;
        }
    }

    private static boolean colorOf(Entry entry) {
        return entry == null ? BLACK : entry.color;
    }

    /** The child on one side. */
    private static Entry side(Entry entry, boolean left) {
        if (entry == null) {
            return null;
        }
        return left ? entry.left : entry.right;
    }

    /** Turns the edge between {@code top} and its child on the other side: {@code top} sinks to {@code left}. */
    private void rotate(Entry top, boolean left) {
        Entry riser = left ? top.right : top.left;
        Entry middle = left ? riser.left : riser.right;
        hang(top, riser);
        if (left) {
            top.right = middle;
            riser.left = top;
        } else {
            top.left = middle;
            riser.right = top;
        }
        if (middle != null) {
            middle.parent = top;
        }
        top.parent = riser;
    }

    private void afterInsertion(Entry at) {
        at.color = RED;
        while (at != root && at.parent.color == RED) {
            Entry parent = at.parent;
            Entry grand = parent.parent;
            boolean left = parent == grand.left;
            Entry uncle = side(grand, !left);
            if (colorOf(uncle) == RED) {
                parent.color = BLACK;
                uncle.color = BLACK;
                grand.color = RED;
                at = grand;
                continue;
            }
            if (at == side(parent, !left)) {
                rotate(parent, left);
                Entry swapped = parent;
                parent = at;
                at = swapped;
            }
            parent.color = BLACK;
            grand.color = RED;
            rotate(grand, !left);
        }
        root.color = BLACK;
    }

    private void afterDeletion(Entry at) {
        while (at != root && at.color == BLACK) {
            Entry parent = at.parent;
            boolean left = at == parent.left;
            Entry sibling = side(parent, !left);
            if (colorOf(sibling) == RED) {
                sibling.color = BLACK;
                parent.color = RED;
                rotate(parent, left);
                sibling = side(parent, !left);
            }
            if (colorOf(sibling.left) == BLACK && colorOf(sibling.right) == BLACK) {
                sibling.color = RED;
                at = parent;
                continue;
            }
            if (colorOf(side(sibling, !left)) == BLACK) {
                side(sibling, left).color = BLACK;
                sibling.color = RED;
                rotate(sibling, !left);
                sibling = side(parent, !left);
            }
            sibling.color = parent.color;
            parent.color = BLACK;
            side(sibling, !left).color = BLACK;
            rotate(parent, left);
            at = root;
        }
        at.color = BLACK;
    }
}
