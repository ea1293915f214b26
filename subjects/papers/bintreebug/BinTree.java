/**
 * The search tree of {@code ../bintree} before a repair, as in Green's Table 2 [Visser FSE'12, 4.1.3]: the
 * removal cannot remove a root without children, and it loses a left subtree whose place is taken.
 */
public class BinTree {
    private static final class Node {
        int key;
        Node left;
        Node right;

        Node(int key) {
            this.key = key;
        }
    }

    private Node root;

    /** The number of keys. */
    public int size() {
        return count(root);
    }

    private static int count(Node at) {
        return at == null ? 0 : count(at.left) + 1 + count(at.right);
    }

    /** Adds a key, unless it is there. */
    public void add(int key) {
        if (root == null) {
            root = new Node(key);
            return;
        }
        Node at = root;
        while (at.key != key) {
            if (key < at.key) {
                if (at.left == null) {
                    at.left = new Node(key);
                } else {
                    at = at.left;
                }
            } else if (at.right == null) {
                at.right = new Node(key);
            } else {
                at = at.right;
            }
        }
    }

    /** Whether a key is there. */
    public boolean find(int key) {
        Node at = root;
        while (at != null && at.key != key) {
            at = key < at.key ? at.left : at.right;
        }
        return at != null;
    }

    /** Removes a key: the last one stays, and a subtree may go with the key. Returns whether something changed. */
    public boolean remove(int key) {
        Node parent = null;
        Node at = root;
        while (at != null && at.key != key) {
            parent = at;
            at = key < at.key ? at.left : at.right;
        }
        if (at == null) {
            return false;
        }
        Node heir = at.right == null ? at.left : at.right;
        if (parent == null) {
            if (heir == null) {
                return false;
            }
            root = heir;
        } else if (parent.left == at) {
            parent.left = heir;
        } else {
            parent.right = heir;
        }
        if (heir != null && heir != at.left && heir.left == null) {
            heir.left = at.left;
        }
        return true;
    }
}
