package heap;

/** A set of ints as a red-black tree [Guibas, Sedgewick FOCS'78] without links up: changes remember the way down. */
public class TreeSet {
    static final boolean RED = false;
    static final boolean BLACK = true;

    static class Node {
        Node left;
        Node right;
        boolean color;
        int key;
    }

    /** The way from the root to a place: the nodes passed, and on which side it went on. */
    private static final class Way {
        // More levels than a red-black tree of ints can have, and one for a rotation.
        final Node[] nodes = new Node[66];
        final boolean[] left = new boolean[66];
        int depth;

        void push(Node node, boolean left) {
            nodes[depth] = node;
            this.left[depth] = left;
            depth++;
        }
    }

    Node root;

    /** Whether this is a red-black tree with keys in order: the shape first, then colours, then keys. */
    public boolean repOK() {
        return isTree() && blackHeight(root, RED) >= 0 && inOrder(root, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** Whether no node is met twice, level by level. */
    private boolean isTree() {
        Seen seen = new Seen();
        if (root != null) {
            seen.push(root);
        }
        for (int at = 0; at < seen.count; at++) {
            Node node = seen.nodes[at];
            if (node.left != null && !seen.add(node.left) || node.right != null && !seen.add(node.right)) {
                return false;
            }
        }
        return true;
    }

    /** Black nodes on every way down; -1 if ways differ or red meets red. */
    private static int blackHeight(Node node, boolean colorAbove) {
        if (node == null) {
            return 0;
        }
        boolean black = node.color == BLACK;
        if (!black && colorAbove == RED) {
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

    /** How many nodes there are, level by level. */
    public int bfs() {
        Seen waiting = new Seen();
        if (root != null) {
            waiting.push(root);
        }
        for (int at = 0; at < waiting.count; at++) {
            Node node = waiting.nodes[at];
            if (node.left != null) {
                waiting.push(node.left);
            }
            if (node.right != null) {
                waiting.push(node.right);
            }
        }
        return waiting.count;
    }

    /** How many nodes there are, branch by branch. */
    public int dfs() {
        return count(root);
    }

    private static int count(Node node) {
        return node == null ? 0 : 1 + count(node.left) + count(node.right);
    }

    public boolean contains(int key) {
        Node node = root;
        while (node != null) {
            if (key == node.key) {
                return true;
            }
            node = key < node.key ? node.left : node.right;
        }
        return false;
    }

    /** Whether the key was not there. */
    public boolean add(int key) {
        Way way = new Way();
        Node node = root;
        while (node != null) {
            if (key == node.key) {
                return false;
            }
            boolean left = key < node.key;
            way.push(node, left);
            node = side(node, left);
        }
        Node added = new Node();
        added.key = key;
        hang(way, way.depth, added);
        afterInsertion(way);
        return true;
    }

    /** The place that the way leads to has a red node; where its parent is red too, that is mended. */
    private void afterInsertion(Way way) {
        int depth = way.depth;
        while (depth >= 2 && way.nodes[depth - 1].color == RED) {
            Node parent = way.nodes[depth - 1];
            Node grand = way.nodes[depth - 2];
            boolean left = way.left[depth - 2];
            Node uncle = side(grand, !left);
            if (!isBlack(uncle)) {
                parent.color = BLACK;
                uncle.color = BLACK;
                grand.color = RED;
                depth -= 2;
                continue;
            }
            if (way.left[depth - 1] != left) {
                parent = rotate(parent, left);
                setSide(grand, left, parent);
            }
            parent.color = BLACK;
            grand.color = RED;
            hang(way, depth - 2, rotate(grand, !left));
            break;
        }
        root.color = BLACK;
    }

    /** Whether the key was there. */
    public boolean remove(int key) {
        Way way = new Way();
        Node node = root;
        while (node != null && key != node.key) {
            boolean left = key < node.key;
            way.push(node, left);
            node = side(node, left);
        }
        if (node == null) {
            return false;
        }
        if (node.left != null && node.right != null) {
            Node found = node;
            way.push(node, false);
            node = node.right;
            while (node.left != null) {
                way.push(node, true);
                node = node.left;
            }
            found.key = node.key;
        }
        Node child = node.left != null ? node.left : node.right;
        hang(way, way.depth, child);
        if (node.color == BLACK) {
            if (child != null) {
                child.color = BLACK;
            } else {
                afterDeletion(way);
            }
        }
        return true;
    }

    /** On ways through the place that the way leads to there is one black node too few. */
    private void afterDeletion(Way way) {
        while (way.depth > 0) {
            int last = way.depth - 1;
            Node parent = way.nodes[last];
            boolean left = way.left[last];
            Node sibling = side(parent, !left);
            if (sibling.color == RED) {
                sibling.color = BLACK;
                parent.color = RED;
                hang(way, last, rotate(parent, left));
                way.nodes[last] = sibling;
                way.push(parent, left);
                sibling = side(parent, !left);
            }
            Node near = side(sibling, left);
            Node far = side(sibling, !left);
            if (isBlack(near) && isBlack(far)) {
                sibling.color = RED;
                if (parent.color == RED) {
                    parent.color = BLACK;
                    return;
                }
                way.depth--;
                continue;
            }
            if (isBlack(far)) {
                near.color = BLACK;
                sibling.color = RED;
                far = sibling;
                sibling = rotate(sibling, !left);
                setSide(parent, !left, sibling);
            }
            sibling.color = parent.color;
            parent.color = BLACK;
            far.color = BLACK;
            hang(way, way.depth - 1, rotate(parent, left));
            return;
        }
    }

    private static boolean isBlack(Node node) {
        return node == null || node.color == BLACK;
    }

    private static Node side(Node node, boolean left) {
        return left ? node.left : node.right;
    }

    private static void setSide(Node node, boolean left, Node child) {
        if (left) {
            node.left = child;
        } else {
            node.right = child;
        }
    }

    /** Makes a node the one at this depth of a way. */
    private void hang(Way way, int depth, Node node) {
        if (depth == 0) {
            root = node;
        } else {
            setSide(way.nodes[depth - 1], way.left[depth - 1], node);
        }
    }

    /** Sinks {@code top} to the left or right; the child that rises. */
    private static Node rotate(Node top, boolean left) {
        Node riser = side(top, !left);
        setSide(top, !left, side(riser, left));
        setSide(riser, left, top);
        return riser;
    }

    /** Adding keeps the tree red-black: fails for no valid one. */
    public void addKeeps(int key) {
        boolean isNew = add(key);
        assert repOK() && contains(key) : isNew;
    }

    /** Removing keeps the tree red-black: fails for no valid one. */
    public void removeKeeps(int key) {
        boolean was = remove(key);
        assert repOK() && !contains(key) : was;
    }

    /** Nodes in the order in which they were met. */
    private static final class Seen {
        Node[] nodes = new Node[16];
        int count;

        void push(Node node) {
            if (count == nodes.length) {
                Node[] more = new Node[2 * count];
                System.arraycopy(nodes, 0, more, 0, count);
                nodes = more;
            }
            nodes[count++] = node;
        }

        /** Whether the node was not there. */
        boolean add(Node node) {
            for (int i = 0; i < count; i++) {
                if (nodes[i] == node) {
                    return false;
                }
            }
            push(node);
            return true;
        }
    }
}
