/** As v0, but the successor of a removed key stays where it is: its subtree is lost. */
public class BinTree {
    private static final class Node {
        final int key;
        Node left;
        Node right;

        Node(int key) {
            this.key = key;
        }
    }

    private Node root;
    private int size;

    public int size() {
        return size;
    }

    /** Adds a key; false if it was there. */
    public boolean add(int key) {
        if (root == null) {
            root = new Node(key);
            size = 1;
            return true;
        }
        Node at = root;
        while (true) {
            if (key < at.key) {
                if (at.left == null) {
                    at.left = new Node(key);
                    break;
                }
                at = at.left;
            } else if (key > at.key) {
                if (at.right == null) {
                    at.right = new Node(key);
                    break;
                }
                at = at.right;
            } else {
                return false;
            }
        }
        size++;
        return true;
    }

    public boolean find(int key) {
        Node at = root;
        while (at != null) {
            if (key < at.key) {
                at = at.left;
            } else if (key > at.key) {
                at = at.right;
            } else {
                return true;
            }
        }
        return false;
    }

    /** Removes a key; false if it was not there. */
    public boolean remove(int key) {
        Node parent = null;
        Node at = root;
        while (at != null && key != at.key) {
            parent = at;
            at = key < at.key ? at.left : at.right;
        }
        if (at == null) {
            return false;
        }
        replace(parent, at, without(at));
        size--;
        return true;
    }

    /** The tree that takes the place of {@code gone}. */
    private Node without(Node gone) {
        if (gone.left == null) {
            return gone.right;
        }
        if (gone.right == null) {
            return gone.left;
        }
        Node parent = gone;
        Node next = gone.right;
        while (next.left != null) {
            parent = next;
            next = next.left;
        }
        next.left = gone.left;
        return next;
    }

    private void replace(Node parent, Node old, Node fresh) {
        if (parent == null) {
            root = fresh;
        } else if (parent.left == old) {
            parent.left = fresh;
        } else {
            parent.right = fresh;
        }
    }

    /** Whether keys are in order and {@code size} is their number. */
    public boolean isValid() {
        return count(root) == size && ordered(root, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private static int count(Node at) {
        return at == null ? 0 : count(at.left) + 1 + count(at.right);
    }

    private static boolean ordered(Node at, long above, long below) {
        return at == null
                || (above < at.key
                        && at.key < below
                        && ordered(at.left, above, at.key)
                        && ordered(at.right, at.key, below));
    }
}
