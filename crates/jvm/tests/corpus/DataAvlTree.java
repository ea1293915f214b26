/** An AVL tree by hand: rotations, heights, order. */
public class DataAvlTree {
    static class Node {
        final int key;
        int height = 1;
        Node left;
        Node right;

        Node(int key) {
            this.key = key;
        }
    }

    static int h(Node n) {
        return n == null ? 0 : n.height;
    }

    static void fix(Node n) {
        n.height = 1 + Math.max(h(n.left), h(n.right));
    }

    static Node right(Node y) {
        Node x = y.left;
        y.left = x.right;
        x.right = y;
        fix(y);
        fix(x);
        return x;
    }

    static Node left(Node x) {
        Node y = x.right;
        x.right = y.left;
        y.left = x;
        fix(x);
        fix(y);
        return y;
    }

    static Node insert(Node n, int key) {
        if (n == null) {
            return new Node(key);
        }
        if (key < n.key) {
            n.left = insert(n.left, key);
        } else if (key > n.key) {
            n.right = insert(n.right, key);
        } else {
            return n;
        }
        fix(n);
        int balance = h(n.left) - h(n.right);
        if (balance > 1) {
            if (key > n.left.key) {
                n.left = left(n.left);
            }
            return right(n);
        }
        if (balance < -1) {
            if (key < n.right.key) {
                n.right = right(n.right);
            }
            return left(n);
        }
        return n;
    }

    static String show(Node n) {
        return n == null ? "." : "(" + show(n.left) + n.key + show(n.right) + ")";
    }

    public static void main(String[] args) {
        Node root = null;
        for (int k : new int[] {10, 20, 30, 40, 50, 25, 5, 4, 3, 26, 27, 28, 10}) {
            root = insert(root, k);
        }
        System.out.println(show(root) + " height " + h(root));
        root = null;
        for (int i = 0; i < 100; i++) {
            root = insert(root, i * 37 % 101);
        }
        System.out.println(h(root) + " " + root.key);
    }
}
