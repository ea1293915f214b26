package heap;

/** A set of ints as an AVL tree [Adelson-Velsky, Landis 1962]; a leaf has height 0. */
public class AvlTree {
    static class Node {
        Node left;
        Node right;
        int height;
        int key;
    }

    Node root;

    /** Whether this is an AVL tree with keys in order: the shape first, then heights, then keys. */
    public boolean repOK() {
        return isTree() && height(root) >= -1 && inOrder(root, Long.MIN_VALUE, Long.MAX_VALUE);
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

    /** The height; -2 if a node says another one or sides differ by more than one. */
    private static int height(Node node) {
        if (node == null) {
            return -1;
        }
        int left = height(node.left);
        if (left < -1) {
            return -2;
        }
        int right = height(node.right);
        if (right < -1 || left > right + 1 || right > left + 1) {
            return -2;
        }
        int height = 1 + (left > right ? left : right);
        return node.height == height ? height : -2;
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

    public void insert(int key) {
        root = inserted(root, key);
    }

    private static Node inserted(Node node, int key) {
        if (node == null) {
            Node added = new Node();
            added.key = key;
            return added;
        }
        if (key == node.key) {
            return node;
        }
        if (key < node.key) {
            node.left = inserted(node.left, key);
        } else {
            node.right = inserted(node.right, key);
        }
        return balanced(node);
    }

    public void delete(int key) {
        root = deleted(root, key);
    }

    private static Node deleted(Node node, int key) {
        if (node == null) {
            return null;
        }
        if (key == node.key) {
            if (node.left == null) {
                return node.right;
            }
            if (node.right == null) {
                return node.left;
            }
            Node next = node.right;
            while (next.left != null) {
                next = next.left;
            }
            node.key = next.key;
            node.right = deleted(node.right, next.key);
        } else if (key < node.key) {
            node.left = deleted(node.left, key);
        } else {
            node.right = deleted(node.right, key);
        }
        return balanced(node);
    }

    private static int heightOf(Node node) {
        return node == null ? -1 : node.height;
    }

    private static void measure(Node node) {
        int left = heightOf(node.left);
        int right = heightOf(node.right);
        node.height = 1 + (left > right ? left : right);
    }

    /** The top of a tree whose sides differ by at most two, turned so that they differ by at most one. */
    private static Node balanced(Node node) {
        int lean = heightOf(node.left) - heightOf(node.right);
        if (lean > 1) {
            if (heightOf(node.left.left) < heightOf(node.left.right)) {
                node.left = turnedLeft(node.left);
            }
            return turnedRight(node);
        }
        if (lean < -1) {
            if (heightOf(node.right.right) < heightOf(node.right.left)) {
                node.right = turnedRight(node.right);
            }
            return turnedLeft(node);
        }
        measure(node);
        return node;
    }

    private static Node turnedLeft(Node node) {
        Node riser = node.right;
        node.right = riser.left;
        riser.left = node;
        measure(node);
        measure(riser);
        return riser;
    }

    private static Node turnedRight(Node node) {
        Node riser = node.left;
        node.left = riser.right;
        riser.right = node;
        measure(node);
        measure(riser);
        return riser;
    }

    /** Inserting keeps the tree an AVL tree: fails for no valid one. */
    public void insertKeeps(int key) {
        insert(key);
        assert repOK() && contains(key);
    }

    /** Deleting keeps the tree an AVL tree: fails for no valid one. */
    public void deleteKeeps(int key) {
        delete(key);
        assert repOK() && !contains(key);
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
