package heap;

/** A heap of ints as a list of binomial trees of rising degree [Vuillemin CACM'78], with a version of extractMin that has a bug. */
public class BinomialHeap {
    static class Node {
        Node child;
        Node sibling;
        Node parent;
        int degree;
        int key;
    }

    Node nodes;
    int size;

    /** Whether degrees rise, trees are binomial, no child is less than its parent and the size is that of the heap. */
    public boolean repOK() {
        Seen seen = new Seen();
        int last = -1;
        for (Node tree = nodes; tree != null; tree = tree.sibling) {
            if (!seen.add(tree) || tree.parent != null) {
                return false;
            }
            int degree = tree.child == null ? 0 : degree(tree.child, tree, seen) + 1;
            // A degree of -1 says that something below is wrong; then this one is 0 although there is a child.
            if (degree <= last || degree == 0 && tree.child != null || tree.degree != degree) {
                return false;
            }
            last = degree;
        }
        return size == seen.count;
    }

    /** The degree of a child, whose siblings have all degrees below it; -1 if that is not so. */
    private static int degree(Node node, Node parent, Seen seen) {
        if (!seen.add(node) || node.parent != parent || node.key < parent.key) {
            return -1;
        }
        int degree = 0;
        if (node.child != null) {
            degree = degree(node.child, node, seen) + 1;
            if (degree == 0) {
                return -1;
            }
        }
        int after = node.sibling == null ? -1 : degree(node.sibling, parent, seen);
        if (node.sibling != null && after < 0 || degree != after + 1 || node.degree != degree) {
            return -1;
        }
        return degree;
    }

    /** How many nodes there are, level by level. */
    public int bfs() {
        Seen waiting = new Seen();
        if (nodes != null) {
            waiting.push(nodes);
        }
        for (int at = 0; at < waiting.count; at++) {
            Node node = waiting.nodes[at];
            if (node.child != null) {
                waiting.push(node.child);
            }
            if (node.sibling != null) {
                waiting.push(node.sibling);
            }
        }
        return waiting.count;
    }

    /** How many nodes there are, branch by branch. */
    public int dfs() {
        return count(nodes);
    }

    private static int count(Node node) {
        return node == null ? 0 : 1 + count(node.child) + count(node.sibling);
    }

    /** The least key. */
    public int findMinimum() {
        if (nodes == null) {
            throw new IllegalStateException("the heap is empty");
        }
        int least = nodes.key;
        for (Node tree = nodes.sibling; tree != null; tree = tree.sibling) {
            if (tree.key < least) {
                least = tree.key;
            }
        }
        return least;
    }

    public void insert(int key) {
        Node added = new Node();
        added.key = key;
        nodes = united(merged(nodes, added));
        size++;
    }

    /** The node with the least key, taken out; null if there is none. */
    public Node extractMin() {
        Node least = takeLeast();
        if (least != null) {
            nodes = united(merged(nodes, reversed(least.child)));
            size--;
        }
        return least;
    }

    /**
     * As {@link #extractMin}, with a bug that needs 13 nodes: trees are lost, and the size is that of the heap with them.
     *
     * <p>The children of the least tree have all degrees from 0 on, so they fit in front of the others or beside them, unless
     * some degree is missing between two of the others: {0, 2} and a tree of degree 3, or {0, 3} and one of degree 2.
     */
    public Node extractMinBuggy() {
        Node least = takeLeast();
        if (least != null) {
            mergeBuggy(reversed(least.child));
            nodes = united(nodes);
            size--;
        }
        return least;
    }

    /** Takes the tree with the least key from the list. */
    private Node takeLeast() {
        if (nodes == null) {
            return null;
        }
        Node least = nodes;
        Node beforeLeast = null;
        Node before = nodes;
        for (Node tree = nodes.sibling; tree != null; tree = tree.sibling) {
            if (tree.key < least.key) {
                least = tree;
                beforeLeast = before;
            }
            before = tree;
        }
        if (beforeLeast == null) {
            nodes = least.sibling;
        } else {
            beforeLeast.sibling = least.sibling;
        }
        return least;
    }

    /** Children as a list of trees of rising degree. */
    private static Node reversed(Node child) {
        Node trees = null;
        while (child != null) {
            Node next = child.sibling;
            child.parent = null;
            child.sibling = trees;
            trees = child;
            child = next;
        }
        return trees;
    }

    /** Two lists of trees as one list by degree, equal degrees side by side. */
    private static Node merged(Node a, Node b) {
        if (a == null) {
            return b;
        }
        if (b == null) {
            return a;
        }
        if (a.degree <= b.degree) {
            a.sibling = merged(a.sibling, b);
            return a;
        }
        b.sibling = merged(a, b.sibling);
        return b;
    }

    /** Puts a list of trees into the list of this heap, in place. */
    private void mergeBuggy(Node others) {
        Node at = nodes;
        while (at != null && others != null) {
            Node other = others;
            if (at.degree > other.degree) {
                others = other.sibling;
                other.sibling = at;
                if (at == nodes) {
                    nodes = other;
                }
                // Else the tree before "at" has to lead to "other", which it does not.
                at = other;
            } else if (at.degree == other.degree || at.sibling == null || at.sibling.degree > other.degree) {
                others = other.sibling;
                other.sibling = at.sibling;
                at.sibling = other;
                at = other.sibling;
            } else {
                at = at.sibling;
            }
        }
        if (others != null) {
            if (nodes == null) {
                nodes = others;
                return;
            }
            at = nodes;
            while (at.sibling != null) {
                at = at.sibling;
            }
            at.sibling = others;
        }
    }

    /** A list by degree with trees of equal degree linked. */
    private static Node united(Node first) {
        if (first == null) {
            return null;
        }
        Node before = null;
        Node at = first;
        Node next = at.sibling;
        while (next != null) {
            boolean three = next.sibling != null && next.sibling.degree == at.degree;
            if (at.degree != next.degree || three) {
                before = at;
                at = next;
            } else if (at.key <= next.key) {
                at.sibling = next.sibling;
                link(next, at);
            } else {
                if (before == null) {
                    first = next;
                } else {
                    before.sibling = next;
                }
                link(at, next);
                at = next;
            }
            next = at.sibling;
        }
        return first;
    }

    private static void link(Node child, Node parent) {
        child.parent = parent;
        child.sibling = parent.child;
        parent.child = child;
        parent.degree++;
    }

    private static Node find(Node tree, int key) {
        for (; tree != null; tree = tree.sibling) {
            if (tree.key == key) {
                return tree;
            }
            if (tree.key < key) {
                Node inside = find(tree.child, key);
                if (inside != null) {
                    return inside;
                }
            }
        }
        return null;
    }

    /** Lowers a key; false if it is not there. */
    public boolean decreaseKey(int key, int lower) {
        if (lower > key) {
            throw new IllegalArgumentException("the new key is greater");
        }
        Node at = find(nodes, key);
        if (at == null) {
            return false;
        }
        at.key = lower;
        while (at.parent != null && at.key < at.parent.key) {
            at = swapped(at);
        }
        return true;
    }

    /** Exchanges keys with the parent, which is returned. */
    private static Node swapped(Node at) {
        Node parent = at.parent;
        int key = at.key;
        at.key = parent.key;
        parent.key = key;
        return parent;
    }

    /** Takes a key out; false if it is not there. */
    public boolean delete(int key) {
        Node at = find(nodes, key);
        if (at == null) {
            return false;
        }
        while (at.parent != null) {
            at = swapped(at);
        }
        if (nodes == at) {
            nodes = at.sibling;
        } else {
            Node before = nodes;
            while (before.sibling != at) {
                before = before.sibling;
            }
            before.sibling = at.sibling;
        }
        nodes = united(merged(nodes, reversed(at.child)));
        size--;
        return true;
    }

    /** One of five operations on any heap; then two, then three in a row. */
    public void trace_L1(int operation, int key) {
        operate(operation, key);
    }

    public void trace_L2(int first, int firstKey, int second, int secondKey) {
        operate(first, firstKey);
        operate(second, secondKey);
    }

    public void trace_L3(int first, int firstKey, int second, int secondKey, int third, int thirdKey) {
        operate(first, firstKey);
        operate(second, secondKey);
        operate(third, thirdKey);
    }

    private void operate(int operation, int key) {
        switch (operation) {
            case 0:
                insert(key);
                break;
            case 1:
                extractMin();
                break;
            case 2:
                delete(key);
                break;
            case 3:
                if (key > Integer.MIN_VALUE) {
                    decreaseKey(key, key - 1);
                }
                break;
            default:
                if (nodes != null) {
                    findMinimum();
                }
        }
    }

    /** Taking the least key out of a valid heap leaves as many nodes as the size says: fails for no valid one. */
    public void extractMinKeeps() {
        if (repOK()) {
            extractMin();
            requireSize();
        }
    }

    /** The same with the bug: fails for some heaps of 13 nodes, and for none of fewer. */
    public void extractMinBug() {
        if (repOK()) {
            extractMinBuggy();
            requireSize();
        }
    }

    private void requireSize() {
        int counted = dfs();
        if (size != counted) {
            throw new IllegalStateException("the size is not that of the heap");
        }
    }

    /** Inserting keeps the heap binomial: fails for no valid one. */
    public void insertKeeps(int key) {
        insert(key);
        assert repOK();
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
