package bliss;

/**
 * A set of ints as a red-black tree with links up, for the drivers of [Rosner TSE'15].
 *
 * <p>It differs from heap.TreeSet where the paper's numbers ask for it. A missing node is black and has no children, so a tree
 * that is not red-black throws nothing. The invariant speaks of {@code hue}, which no method reads: as in the paper, nothing
 * that is pruned depends on a colour that a path has read.
 */
public class TreeSet {
    static final boolean RED = false;
    static final boolean BLACK = true;

    static class Node {
        Node left;
        Node right;
        Node parent;
        boolean color;
        boolean hue;
        int key;
    }

    Node root;

    /** The driver of Table X: a valid tree first, as Figure 14 does it, then the method. 0 if the tree is not valid. */
    public int checkedAdd(int key) {
        if (root == null || !repOK()) {
            return 0;
        }
        add(key);
        return 1;
    }

    private boolean repOK() {
        return root.parent == null && isTree(root) && blackHeight(root, RED) >= 0
                && inOrder(root, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private static boolean isTree(Node node) {
        Node left = node.left;
        Node right = node.right;
        boolean linked = left == null || left.parent == node;
        linked = linked && (right == null || right != left && right.parent == node);
        return linked && (left == null || isTree(left)) && (right == null || isTree(right));
    }

    /** Black nodes on every way down; -1 if ways differ or red meets red. */
    private static int blackHeight(Node node, boolean above) {
        if (node == null) {
            return 0;
        }
        boolean black = node.color == BLACK;
        if (!black && above == RED) {
            return -1;
        }
        int left = blackHeight(node.left, black);
        if (left < 0 || blackHeight(node.right, black) != left) {
            return -1;
        }
        return black ? left + 1 : left;
    }

    private static boolean inOrder(Node node, long above, long below) {
        if (node == null) {
            return true;
        }
        if (node.key <= above || node.key >= below) {
            return false;
        }
        return inOrder(node.left, above, node.key) && inOrder(node.right, node.key, below);
    }

    /** The node of a key; smaller keys are asked for first, then greater ones. */
    private Node find(int key) {
        Node at = root;
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

    /** Whether the key was not there. */
    public boolean add(int key) {
        Node parent = null;
        boolean left = false;
        Node at = root;
        while (at != null) {
            if (key == at.key) {
                return false;
            }
            parent = at;
            left = key < at.key;
            at = side(at, left);
        }
        Node added = new Node();
        added.key = key;
        added.parent = parent;
        if (parent == null) {
            root = added;
        } else {
            setSide(parent, left, added);
        }
        afterInsertion(added);
        return true;
    }

    private void afterInsertion(Node at) {
        while (at != root && colorOf(at.parent) == RED) {
            Node parent = at.parent;
            Node grand = parent.parent;
            boolean left = parent == side(grand, true);
            Node uncle = side(grand, !left);
            if (colorOf(uncle) == RED) {
                paint(parent, BLACK);
                paint(uncle, BLACK);
                paint(grand, RED);
                at = grand;
                continue;
            }
            if (at == side(parent, !left)) {
                at = parent;
                rotate(at, left);
            }
            paint(at.parent, BLACK);
            paint(grand, RED);
            rotate(grand, !left);
        }
        root.color = BLACK;
    }

    /** Whether the key was there. */
    public boolean remove(int key) {
        Node gone = find(key);
        if (gone == null) {
            return false;
        }
        if (gone.left != null && gone.right != null) {
            Node next = gone.right;
            while (next.left != null) {
                next = next.left;
            }
            gone.key = next.key;
            gone = next;
        }
        Node child = gone.left != null ? gone.left : gone.right;
        if (child != null) {
            replace(gone, child);
            if (gone.color == BLACK) {
                afterDeletion(child);
            }
        } else if (gone.parent == null) {
            root = null;
        } else {
            if (gone.color == BLACK) {
                afterDeletion(gone);
            }
            replace(gone, null);
        }
        return true;
    }

    /** Hangs {@code fresh} where {@code old} hangs. */
    private void replace(Node old, Node fresh) {
        Node parent = old.parent;
        if (parent == null) {
            root = fresh;
        } else {
            setSide(parent, parent.left == old, fresh);
        }
        if (fresh != null) {
            fresh.parent = parent;
        }
    }

    /** On ways through a node there is one black node too few. */
    private void afterDeletion(Node at) {
        while (at != root && colorOf(at) == BLACK) {
            Node parent = at.parent;
            boolean left = at == parent.left;
            Node sibling = side(parent, !left);
            if (colorOf(sibling) == RED) {
                paint(sibling, BLACK);
                paint(parent, RED);
                rotate(parent, left);
                sibling = side(parent, !left);
            }
            if (colorOf(side(sibling, left)) == BLACK && colorOf(side(sibling, !left)) == BLACK) {
                paint(sibling, RED);
                at = parent;
                continue;
            }
            if (colorOf(side(sibling, !left)) == BLACK) {
                paint(side(sibling, left), BLACK);
                paint(sibling, RED);
                rotate(sibling, !left);
                sibling = side(parent, !left);
            }
            paint(sibling, colorOf(parent));
            paint(parent, BLACK);
            paint(side(sibling, !left), BLACK);
            rotate(parent, left);
            at = root;
        }
        paint(at, BLACK);
    }

    private static boolean colorOf(Node node) {
        return node == null ? BLACK : node.color;
    }

    private static void paint(Node node, boolean color) {
        if (node != null) {
            node.color = color;
        }
    }

    private static Node side(Node node, boolean left) {
        if (node == null) {
            return null;
        }
        return left ? node.left : node.right;
    }

    private static void setSide(Node node, boolean left, Node child) {
        if (left) {
            node.left = child;
        } else {
            node.right = child;
        }
    }

    /** Sinks {@code top} to the left or right; its other child rises. */
    private void rotate(Node top, boolean left) {
        Node riser = side(top, !left);
        if (riser == null) {
            return;
        }
        Node middle = side(riser, left);
        setSide(top, !left, middle);
        if (middle != null) {
            middle.parent = top;
        }
        replace(top, riser);
        setSide(riser, left, top);
        top.parent = riser;
    }
}
