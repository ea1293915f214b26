package heap;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;

/** A binary tree of nodes without keys: only its shape can be wrong. */
public class BinTree {
    static class Node {
        Node left;
        Node right;
    }

    Node root;

    /** Whether no node is reached twice; depth first, left before right. */
    public boolean repOK() {
        return root == null || isTree(root, new HashSet<>());
    }

    private static boolean isTree(Node node, Set<Node> visited) {
        if (!visited.add(node)) {
            return false;
        }
        Node left = node.left;
        if (left != null && !isTree(left, visited)) {
            return false;
        }
        Node right = node.right;
        return right == null || isTree(right, visited);
    }

    /** How many nodes there are, level by level. */
    public int bfs() {
        int nodes = 0;
        ArrayDeque<Node> waiting = new ArrayDeque<>();
        if (root != null) {
            waiting.add(root);
        }
        while (!waiting.isEmpty()) {
            Node node = waiting.remove();
            nodes++;
            if (node.left != null) {
                waiting.add(node.left);
            }
            if (node.right != null) {
                waiting.add(node.right);
            }
        }
        return nodes;
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
}
