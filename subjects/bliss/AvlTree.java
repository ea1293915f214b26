package bliss;

/**
 * Insertion into an AVL tree [Adelson-Velsky, Landis 1962] as textbooks have it, for the driver of [Rosner TSE'15]: only the side
 * that got the key can be too high, and the key says how to turn it. heap.AvlTree looks at both sides and at heights.
 */
public class AvlTree {
    static class Node {
        Node left;
        Node right;
        int height;
        int key;
    }

    Node root;

    public void insert(int key) {
        root = inserted(root, key);
    }

    private static Node inserted(Node node, int key) {
        if (node == null) {
            Node added = new Node();
            added.key = key;
            return added;
        }
        if (key < node.key) {
            node.left = inserted(node.left, key);
            if (height(node.left) - height(node.right) == 2) {
                if (key >= node.left.key) {
                    node.left = turnedLeft(node.left);
                }
                return turnedRight(node);
            }
        } else if (key > node.key) {
            node.right = inserted(node.right, key);
            if (height(node.right) - height(node.left) == 2) {
                if (key <= node.right.key) {
                    node.right = turnedRight(node.right);
                }
                return turnedLeft(node);
            }
        }
        measure(node);
        return node;
    }

    private static int height(Node node) {
        return node == null ? -1 : node.height;
    }

    private static void measure(Node node) {
        int left = height(node.left);
        int right = height(node.right);
        node.height = 1 + (left > right ? left : right);
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
}
