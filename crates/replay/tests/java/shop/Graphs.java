package shop;

/** Objects of every kind that a test may have to make. */
public class Graphs extends Base {
    static int made;

    private Node root;
    final int limit;
    /** The superclass has one of the same name. */
    private int count;

    /** Whoever calls it is heard. */
    public Graphs() {
        made++;
        System.out.println("made");
        limit = 3;
    }

    private static final class Node {
        private final long key;
        Node left;
        Node right;
        Object tag;

        private Node(long key) {
            if (key >= 0) throw new IllegalStateException("nobody is to call it");
            this.key = key;
        }
    }

    /** It points to the object that it was made in. */
    private final class Cursor {
        Node at;

        long read() {
            return at == null ? limit : at.key + count;
        }
    }

    public record Pair(Node first, int second, Object third) {}

    public int constructed() {
        return made;
    }

    public long sum() {
        return sum(root);
    }

    private static long sum(Node node) {
        return node == null ? 0 : node.key + sum(node.left) + sum(node.right);
    }

    /** How many steps to the right lead back to where they began. */
    public int round() {
        int steps = 0;
        Node node = root;
        do {
            node = node.right;
            steps++;
        } while (node != root);
        return steps;
    }

    public boolean isShared() {
        return root.left == root.right && root.left != null;
    }

    public boolean isSame(Graphs other) {
        return this == other && root == other.root;
    }

    public boolean sharesRoot(Graphs other) {
        return this != other && root == other.root;
    }

    /** {@code count} of this class, then of the superclass. */
    public int counts() {
        return count * 100 + super.count;
    }

    public int limit() {
        return limit;
    }

    public static long read(Object cursor) {
        return ((Cursor) cursor).read();
    }

    private long peek(Cursor cursor, Node[] nodes) {
        return cursor.read() + nodes.length;
    }

    public static long total(Object nodes) {
        long total = 0;
        for (Node node : (Node[]) nodes) total += node == null ? 1000 : node.key;
        return total;
    }

    /** 1000 if the first two are the same, and what is in the second array and in the graphs. */
    public static int sum(int[] a, int[] b, Graphs[] graphs) {
        int sum = a == b ? 1000 : 0;
        for (int n : b) sum += n;
        for (Graphs graph : graphs) sum += graph == null ? 0 : graph.count;
        return sum;
    }

    /** How deep arrays are in arrays; -1 if one is in itself. */
    public static int depth(Object[] array) {
        int depth = 0;
        Object inner = array;
        do {
            inner = ((Object[]) inner)[0];
            depth++;
        } while (inner != array && inner instanceof Object[]);
        return inner == array ? -1 : depth;
    }

    public static Object tagOf(Graphs graph) {
        return graph.root.tag;
    }

    public static long second(Object pair) {
        return ((Pair) pair).first().key * 10 + ((Pair) pair).second();
    }

    public Object rootOf() {
        return root;
    }

    public void fail() {
        throw new IllegalStateException("root " + root.key);
    }

    /** A graph that public calls make. */
    public static class Stack {
        private Cell top;

        private static class Cell {
            int value;
            Cell below;
        }

        public Stack() {}

        public void push(int value) {
            Cell cell = new Cell();
            cell.value = value;
            cell.below = top;
            top = cell;
        }

        public int pop() {
            int value = top.value;
            top = top.below;
            return value;
        }

        public boolean equalTop(Stack other) {
            return top.value == other.top.value;
        }
    }
}

class Base {
    int count;
}
