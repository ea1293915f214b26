/** {@code subjects/papers/bintree} changed in one place: a key put at the left is not found again. */
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
                    break;
                }
                at = at.left;
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

    /** Removes a key; false if it was not there. */
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
        Node heir = heirOf(at);
        if (parent == null) {
            root = heir;
        } else if (parent.left == at) {
            parent.left = heir;
        } else {
            parent.right = heir;
        }
        return true;
    }

    /** The tree of all keys below a node. */
    private static Node heirOf(Node gone) {
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
        if (parent != gone) {
            parent.left = next.right;
            next.right = gone.right;
        }
        next.left = gone.left;
        return next;
    }
}
