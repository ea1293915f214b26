package heap;

import java.util.HashSet;
import java.util.Set;

/** A binary search tree of ints. */
public class SearchTree {
    static class Node {
        int key;
        Node left;
        Node right;
    }

    Node root;

    /** Whether no node is reached twice, and keys are in order. */
    public boolean repOK() {
        return isTree(root, new HashSet<>()) && inOrder(root, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private static boolean isTree(Node node, Set<Node> visited) {
        return node == null || visited.add(node) && isTree(node.left, visited) && isTree(node.right, visited);
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

    public boolean contains(int key) {
        Node node = root;
        while (node != null && node.key != key) {
            node = key < node.key ? node.left : node.right;
        }
        return node != null;
    }

    /** Whether the key was not there. */
    public boolean add(int key) {
        Node added = new Node();
        added.key = key;
        if (root == null) {
            root = added;
            return true;
        }
        Node node = root;
        while (true) {
            if (key == node.key) {
                return false;
            }
            Node next = key < node.key ? node.left : node.right;
            if (next != null) {
                node = next;
                continue;
            }
            if (key < node.key) {
                node.left = added;
            } else {
                node.right = added;
            }
            return true;
        }
    }

    /** Adding keeps the tree a search tree: fails for no valid one. */
    public void addKeeps(int key) {
        boolean isNew = add(key);
        assert repOK() && contains(key) : isNew;
    }
}
