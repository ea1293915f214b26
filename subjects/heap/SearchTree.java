package heap;

import evergreen.Invariant;

/** A binary search tree of ints, with its size. */
@Invariant(
        """
        root class SearchTree {
          root: Node
          size: int 0..scope
        }

        class Node {
          left: Node
          right: Node
          key: int
        }

        invariant root_has_no_parent: no this.root.~(left + right)
        invariant unshared: all n in Node: no (n.left & n.right) && lone n.~(left + right)
        invariant acyclic: all n in Node: n !in n.^(left + right)
        invariant counted: this.size = #Node
        invariant sorted:
          all n in Node: (all x in n.left.*(left + right): x.key < n.key)
            && (all x in n.right.*(left + right): n.key < x.key)
        """)
public class SearchTree {
    static class Node {
        int key;
        Node left;
        Node right;
    }

    Node root;
    int size;

    /** Whether no node is reached twice, keys are in order and the size is that of the tree. */
    public boolean repOK() {
        Seen seen = new Seen();
        return isTree(root, seen) && inOrder(root, Long.MIN_VALUE, Long.MAX_VALUE) && size == seen.count;
    }

    private static boolean isTree(Node node, Seen seen) {
        return node == null || seen.add(node) && isTree(node.left, seen) && isTree(node.right, seen);
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
            size++;
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
            size++;
            return true;
        }
    }

    /** Whether the key was there. */
    public boolean remove(int key) {
        Node above = null;
        Node node = root;
        while (node != null && node.key != key) {
            above = node;
            node = key < node.key ? node.left : node.right;
        }
        if (node == null) {
            return false;
        }
        size--;
        if (node.left != null && node.right != null) {
            Node next = node.right;
            above = node;
            while (next.left != null) {
                above = next;
                next = next.left;
            }
            node.key = next.key;
            replace(above, next, next.right);
        } else {
            replace(above, node, node.left != null ? node.left : node.right);
        }
        return true;
    }

    private void replace(Node above, Node old, Node fresh) {
        if (above == null) {
            root = fresh;
        } else if (above.left == old) {
            above.left = fresh;
        } else {
            above.right = fresh;
        }
    }

    /** Adding keeps the tree a search tree: fails for no valid one. */
    public void addKeeps(int key) {
        boolean isNew = add(key);
        assert repOK() && contains(key) : isNew;
    }

    /** Removing keeps the tree a search tree: fails for no valid one. */
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
