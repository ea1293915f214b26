package heap;

/** A map from ints to ints as a red-black tree [Guibas, Sedgewick FOCS'78], links up to the parent. */
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
    int size;

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

    /** Whether this is a red-black tree of {@code size} keys in order: the shape first, then colours, then keys. */
    public boolean repOK() {
        return isTree() && blackHeight(root, RED) >= 0 && inOrder(root, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** Whether links up lead back, so that no entry is met twice, and {@code size} is that of the tree. */
    private boolean isTree() {
        Waiting waiting = new Waiting();
        if (root != null) {
            if (root.parent != null) {
                return false;
            }
            waiting.push(root);
        }
        for (int at = 0; at < waiting.count; at++) {
            Entry entry = waiting.entries[at];
            Entry left = entry.left;
            if (left != null) {
                if (left.parent != entry) {
                    return false;
                }
                waiting.push(left);
            }
            Entry right = entry.right;
            if (right != null) {
                if (right == left || right.parent != entry) {
                    return false;
                }
                waiting.push(right);
            }
        }
        return size == waiting.count;
    }

    /** Black entries on every way down; -1 if ways differ or red meets red. */
    private static int blackHeight(Entry at, boolean colorAbove) {
        if (at == null) {
            return 0;
        }
        boolean black = at.color == BLACK;
        if (!black && colorAbove == RED) {
            return -1;
        }
        int left = blackHeight(at.left, black);
        if (left < 0 || blackHeight(at.right, black) != left) {
            return -1;
        }
        return black ? left + 1 : left;
    }

    private static boolean inOrder(Entry at, long above, long below) {
        if (at == null) {
            return true;
        }
        if (at.key <= above || at.key >= below) {
            return false;
        }
        return inOrder(at.left, above, at.key) && inOrder(at.right, at.key, below);
    }

    private static int count(Entry at) {
        return at == null ? 0 : 1 + count(at.left) + count(at.right);
    }

    /** How many entries there are, level by level. */
    public int bfs() {
        Waiting waiting = new Waiting();
        if (root != null) {
            waiting.push(root);
        }
        for (int at = 0; at < waiting.count; at++) {
            Entry entry = waiting.entries[at];
            if (entry.left != null) {
                waiting.push(entry.left);
            }
            if (entry.right != null) {
                waiting.push(entry.right);
            }
        }
        return waiting.count;
    }

    /** How many entries there are, branch by branch. */
    public int dfs() {
        return count(root);
    }

    /** One of four operations on any map; then two, then three in a row. */
    public void trace_L1(int operation, int key) {
        operate(operation, key);
    }

    public void trace_L2(int first, int firstKey, int second, int secondKey) {
        operate(first, firstKey);
        operate(second, secondKey);
    }

    public void trace_L3(int first, int firstKey, int second, int secondKey, int third, int thirdKey) {
        operate(first, firstKey);
        operate(second, secondKey);
        operate(third, thirdKey);
    }

    private void operate(int operation, int key) {
        switch (operation) {
            case 0:
                put(key, 0);
                break;
            case 1:
                remove(key);
                break;
            case 2:
                containsKey(key);
                break;
            default:
                dfs();
        }
    }

    /** Putting keeps the tree red-black: fails for no valid one. */
    public void putKeeps(int key) {
        put(key, 1);
        assert repOK() && get(key, 0) == 1;
    }

    /** Removing keeps the tree red-black: fails for no valid one. */
    public void removeKeeps(int key) {
        boolean was = remove(key);
        assert repOK() && !containsKey(key) : was;
    }

    /** Entries in the order in which they were met. */
    private static final class Waiting {
        Entry[] entries = new Entry[16];
        int count;

        void push(Entry entry) {
            if (count == entries.length) {
                Entry[] more = new Entry[2 * count];
                System.arraycopy(entries, 0, more, 0, count);
                entries = more;
            }
            entries[count++] = entry;
        }
    }
}
