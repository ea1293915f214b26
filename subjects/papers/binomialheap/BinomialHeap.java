/**
 * A heap as a list of binomial trees of growing degree [Vuillemin CACM'78], with a deletion as the papers
 * describe it: all nodes are looked at for the key, which is lowered below the least one, rises and is taken
 * out.
 */
public class BinomialHeap {
    private static final class Node {
        int key;
        int degree;
        Node parent;
        Node child;
        Node sibling;

        Node(int key) {
            this.key = key;
        }
    }

    private Node head;
    private int size;

    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return head == null;
    }

    public void insert(int key) {
        head = union(head, new Node(key));
        size++;
    }

    /** The least key. */
    public int min() {
        if (head == null) {
            throw new IllegalStateException("the heap is empty");
        }
        int least = head.key;
        for (Node tree = head.sibling; tree != null; tree = tree.sibling) {
            if (tree.key < least) {
                least = tree.key;
            }
        }
        return least;
    }

    /** Takes the least key out. */
    public int deleteMin() {
        if (head == null) {
            throw new IllegalStateException("the heap is empty");
        }
        Node least = head;
        Node beforeLeast = null;
        Node before = head;
        for (Node tree = head.sibling; tree != null; tree = tree.sibling) {
            if (tree.key < least.key) {
                least = tree;
                beforeLeast = before;
            }
            before = tree;
        }
        if (beforeLeast == null) {
            head = least.sibling;
        } else {
            beforeLeast.sibling = least.sibling;
        }
        Node children = null;
        Node child = least.child;
        while (child != null) {
            Node next = child.sibling;
            child.parent = null;
            child.sibling = children;
            children = child;
            child = next;
        }
        head = union(head, children);
        size--;
        return least.key;
    }

    public boolean contains(int key) {
        return find(head, key) != null;
    }

    /** Lowers one occurrence of {@code key} to {@code lower}. */
    public void decrease(int key, int lower) {
        Node at = find(head, key);
        if (at == null) {
            return;
        }
        at.key = lower;
        while (at.parent != null && at.key < at.parent.key) {
            int swapped = at.key;
            at.key = at.parent.key;
            at.parent.key = swapped;
            at = at.parent;
        }
    }

    /** Removes one occurrence of a key, if there is one. */
    public void delete(int key) {
        if (contains(key)) {
            decrease(key, min() - 1);
            deleteMin();
        }
    }

    private static Node find(Node tree, int key) {
        for (; tree != null; tree = tree.sibling) {
            if (tree.key == key) {
                return tree;
            }
            Node inside = find(tree.child, key);
            if (inside != null) {
                return inside;
            }
        }
        return null;
    }

    /** Two lists of trees as one list by degree, equal degrees side by side. */
    private static Node merge(Node a, Node b) {
        if (a == null) {
            return b;
        }
        if (b == null) {
            return a;
        }
        if (a.degree <= b.degree) {
            a.sibling = merge(a.sibling, b);
            return a;
        }
        b.sibling = merge(a, b.sibling);
        return b;
    }

    private static Node union(Node a, Node b) {
        Node first = merge(a, b);
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
}
