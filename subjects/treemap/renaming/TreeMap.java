/** As v0, with other names of helpers and variables. */
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
        Entry entry = find(key);
        return entry == null ? otherwise : entry.value;
    }

    public boolean containsKey(int key) {
        return find(key) != null;
    }

    private Entry find(int key) {
        Entry at = root;
        while (at != null) {
            if (key < at.key) {
                at = at.left;
            } else if (key > at.key) {
                at = at.right;
            } else {
                return at;
            }
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
            if (key < at.key) {
                if (at.left == null) {
                    at.left = new Entry(key, value, at);
                    at = at.left;
                    break;
                }
                at = at.left;
            } else if (key > at.key) {
                if (at.right == null) {
                    at.right = new Entry(key, value, at);
                    at = at.right;
                    break;
                }
                at = at.right;
            } else {
                at.value = value;
                return;
            }
        }
        size++;
        mendInsertion(at);
    }

    /** Removes a key; false if it was not there. */
    public boolean remove(int key) {
        Entry removed = find(key);
        if (removed == null) {
            return false;
        }
        size--;
        if (removed.left != null && removed.right != null) {
            Entry next = removed.right;
            while (next.left != null) {
                next = next.left;
            }
            removed.key = next.key;
            removed.value = next.value;
            removed = next;
        }
        Entry child = removed.left != null ? removed.left : removed.right;
        if (child != null) {
            replace(removed, child);
            if (removed.color == BLACK) {
                mendDeletion(child);
            }
        } else if (removed.parent == null) {
            root = null;
        } else {
            if (removed.color == BLACK) {
                mendDeletion(removed);
            }
            replace(removed, null);
        }
        return true;
    }

    /** Puts {@code fresh} where {@code old} hangs. */
    private void replace(Entry old, Entry fresh) {
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

    private static boolean colour(Entry entry) {
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
    private void turn(Entry top, boolean left) {
        Entry riser = left ? top.right : top.left;
        Entry middle = left ? riser.left : riser.right;
        replace(top, riser);
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

    private void mendInsertion(Entry at) {
        at.color = RED;
        while (at != root && at.parent.color == RED) {
            Entry parent = at.parent;
            Entry grand = parent.parent;
            boolean left = parent == grand.left;
            Entry uncle = side(grand, !left);
            if (colour(uncle) == RED) {
                parent.color = BLACK;
                uncle.color = BLACK;
                grand.color = RED;
                at = grand;
                continue;
            }
            if (at == side(parent, !left)) {
                turn(parent, left);
                Entry swapped = parent;
                parent = at;
                at = swapped;
            }
            parent.color = BLACK;
            grand.color = RED;
            turn(grand, !left);
        }
        root.color = BLACK;
    }

    private void mendDeletion(Entry at) {
        while (at != root && at.color == BLACK) {
            Entry parent = at.parent;
            boolean left = at == parent.left;
            Entry sibling = side(parent, !left);
            if (colour(sibling) == RED) {
                sibling.color = BLACK;
                parent.color = RED;
                turn(parent, left);
                sibling = side(parent, !left);
            }
            if (colour(sibling.left) == BLACK && colour(sibling.right) == BLACK) {
                sibling.color = RED;
                at = parent;
                continue;
            }
            if (colour(side(sibling, !left)) == BLACK) {
                side(sibling, left).color = BLACK;
                sibling.color = RED;
                turn(sibling, !left);
                sibling = side(parent, !left);
            }
            sibling.color = parent.color;
            parent.color = BLACK;
            side(sibling, !left).color = BLACK;
            turn(parent, left);
            at = root;
        }
        at.color = BLACK;
    }

    /** Whether this is a red-black tree of {@code size} keys in order. */
    public boolean isValid() {
        return (root == null || root.parent == null)
                && colour(root) == BLACK
                && count(root) == size
                && blackHeight(root) >= 0
                && ordered(root, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private static int count(Entry at) {
        return at == null ? 0 : count(at.left) + 1 + count(at.right);
    }

    /** Black entries on every way down, or -1 if ways differ, red meets red or a parent link is wrong. */
    private static int blackHeight(Entry at) {
        if (at == null) {
            return 0;
        }
        if (at.color == RED && (colour(at.left) == RED || colour(at.right) == RED)) {
            return -1;
        }
        if ((at.left != null && at.left.parent != at) || (at.right != null && at.right.parent != at)) {
            return -1;
        }
        int left = blackHeight(at.left);
        int right = blackHeight(at.right);
        if (left < 0 || left != right) {
            return -1;
        }
        return at.color == BLACK ? left + 1 : left;
    }

    private static boolean ordered(Entry at, long above, long below) {
        return at == null
                || (above < at.key
                        && at.key < below
                        && ordered(at.left, above, at.key)
                        && ordered(at.right, at.key, below));
    }
}
