/** As v0, with other names of fields, variables and helpers. */
public class BinTree {
    private static final class Entry {
        final int key;
        Entry less;
        Entry greater;

        Entry(int key) {
            this.key = key;
        }
    }

    private Entry root;
    private int size;

    public int size() {
        return size;
    }

    /** Adds a key; false if it was there. */
    public boolean add(int key) {
        if (root == null) {
            root = new Entry(key);
            size = 1;
            return true;
        }
        Entry node = root;
        while (true) {
            if (key < node.key) {
                if (node.less == null) {
                    node.less = new Entry(key);
                    break;
                }
                node = node.less;
            } else if (key > node.key) {
                if (node.greater == null) {
                    node.greater = new Entry(key);
                    break;
                }
                node = node.greater;
            } else {
                return false;
            }
        }
        size++;
        return true;
    }

    public boolean find(int key) {
        Entry node = root;
        while (node != null) {
            if (key < node.key) {
                node = node.less;
            } else if (key > node.key) {
                node = node.greater;
            } else {
                return true;
            }
        }
        return false;
    }

    /** Removes a key; false if it was not there. */
    public boolean remove(int key) {
        Entry parent = null;
        Entry node = root;
        while (node != null && key != node.key) {
            parent = node;
            node = key < node.key ? node.less : node.greater;
        }
        if (node == null) {
            return false;
        }
        hang(parent, node, closed(node));
        size--;
        return true;
    }

    /** The tree that takes the place of {@code gone}. */
    private Entry closed(Entry gone) {
        if (gone.less == null) {
            return gone.greater;
        }
        if (gone.greater == null) {
            return gone.less;
        }
        Entry parent = gone;
        Entry next = gone.greater;
        while (next.less != null) {
            parent = next;
            next = next.less;
        }
        if (parent != gone) {
            parent.less = next.greater;
            next.greater = gone.greater;
        }
        next.less = gone.less;
        return next;
    }

    private void hang(Entry parent, Entry old, Entry fresh) {
        if (parent == null) {
            root = fresh;
        } else if (parent.less == old) {
            parent.less = fresh;
        } else {
            parent.greater = fresh;
        }
    }

    /** Whether keys are in order and {@code size} is their number. */
    public boolean isValid() {
        return count(root) == size && ordered(root, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private static int count(Entry node) {
        return node == null ? 0 : count(node.less) + 1 + count(node.greater);
    }

    private static boolean ordered(Entry node, long above, long below) {
        return node == null
                || (above < node.key
                        && node.key < below
                        && ordered(node.less, above, node.key)
                        && ordered(node.greater, node.key, below));
    }
}
