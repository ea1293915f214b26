package heap;

/** A binary tree of nodes without keys: only its shape can be wrong. */
public class BinTree {
    static class Node {
        Node left;
        Node right;
    }

    Node root;

    /** Whether no node is reached twice; depth first, left before right. */
    public boolean repOK() {
        return root == null || isTree(root, new Seen());
    }

    private static boolean isTree(Node node, Seen seen) {
        if (!seen.add(node)) {
            return false;
        }
        Node left = node.left;
        if (left != null && !isTree(left, seen)) {
            return false;
        }
        Node right = node.right;
        return right == null || isTree(right, seen);
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
        return root == null ? 0 : size(root);
    }

    private static int size(Node node) {
        int nodes = 1;
        if (node.left != null) {
            nodes += size(node.left);
        }
        if (node.right != null) {
            nodes += size(node.right);
        }
        return nodes;
    }

    /** How many nodes there are. */
    public int count() {
        return nodesIn(root);
    }

    private static int nodesIn(Node node) {
        return node == null ? 0 : nodesIn(node.left) + 1 + nodesIn(node.right);
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
