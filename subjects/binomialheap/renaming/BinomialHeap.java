/** As v0, with other names of fields and helpers. */
public class BinomialHeap {
    private static final class Node {
        int key;
        int degree;
        Node parent;
        Node eldest;
        Node follower;

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
        head = join(head, new Node(key));
        size++;
    }

    /** The least key. */
    public int min() {
        if (head == null) {
            throw new IllegalStateException("the heap is empty");
        }
        int least = head.key;
        for (Node tree = head.follower; tree != null; tree = tree.follower) {
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
        Node previous = head;
        for (Node tree = head.follower; tree != null; tree = tree.follower) {
            if (tree.key < least.key) {
                least = tree;
                beforeLeast = previous;
            }
            previous = tree;
        }
        if (beforeLeast == null) {
            head = least.follower;
        } else {
            beforeLeast.follower = least.follower;
        }
        Node children = null;
        Node eldest = least.eldest;
        while (eldest != null) {
            Node follower = eldest.follower;
            eldest.parent = null;
            eldest.follower = children;
            children = eldest;
            eldest = follower;
        }
        head = join(head, children);
        size--;
        return least.key;
    }

    /** Lowers one occurrence of {@code key} to {@code lower}; false if there is none. */
    public boolean decrease(int key, int lower) {
        if (lower > key) {
            throw new IllegalArgumentException("the new key is greater");
        }
        Node at = find(head, key);
        if (at == null) {
            return false;
        }
        at.key = lower;
        while (at.parent != null && at.key < at.parent.key) {
            int swapped = at.key;
            at.key = at.parent.key;
            at.parent.key = swapped;
            at = at.parent;
        }
        return true;
    }

    public boolean contains(int key) {
        return find(head, key) != null;
    }

    private static Node find(Node tree, int key) {
        for (; tree != null; tree = tree.follower) {
            if (tree.key == key) {
                return tree;
            }
            if (tree.key < key) {
                Node inside = find(tree.eldest, key);
                if (inside != null) {
                    return inside;
                }
            }
        }
        return null;
    }

    /** Two lists of trees as one list by degree, equal degrees side by side. */
    private static Node interleave(Node a, Node b) {
        if (a == null) {
            return b;
        }
        if (b == null) {
            return a;
        }
        if (a.degree <= b.degree) {
            a.follower = interleave(a.follower, b);
            return a;
        }
        b.follower = interleave(a, b.follower);
        return b;
    }

    private static Node join(Node a, Node b) {
        Node first = interleave(a, b);
        if (first == null) {
            return null;
        }
        Node previous = null;
        Node at = first;
        Node follower = at.follower;
        while (follower != null) {
            boolean three = follower.follower != null && follower.follower.degree == at.degree;
            if (at.degree != follower.degree || three) {
                previous = at;
                at = follower;
            } else if (at.key <= follower.key) {
                at.follower = follower.follower;
                adopt(follower, at);
            } else {
                if (previous == null) {
                    first = follower;
                } else {
                    previous.follower = follower;
                }
                adopt(at, follower);
                at = follower;
            }
            follower = at.follower;
        }
        return first;
    }

    private static void adopt(Node eldest, Node parent) {
        eldest.parent = parent;
        eldest.follower = parent.eldest;
        parent.eldest = eldest;
        parent.degree++;
    }

    /** Whether degrees grow, trees are binomial and no eldest is less than its parent. */
    public boolean isValid() {
        int nodes = 0;
        int last = -1;
        for (Node tree = head; tree != null; tree = tree.follower) {
            if (tree.degree <= last || tree.parent != null || !isBinomial(tree)) {
                return false;
            }
            last = tree.degree;
            nodes += 1 << tree.degree;
        }
        return nodes == size;
    }

    private static boolean isBinomial(Node tree) {
        int degree = tree.degree;
        for (Node eldest = tree.eldest; eldest != null; eldest = eldest.follower) {
            degree--;
            if (eldest.degree != degree || eldest.parent != tree || eldest.key < tree.key || !isBinomial(eldest)) {
                return false;
            }
        }
        return degree == 0;
    }
}
