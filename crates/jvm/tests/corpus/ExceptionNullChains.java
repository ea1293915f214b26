/** Helpful null messages along chains of fields, arrays, calls and conversions. */
public class ExceptionNullChains {
    static class Node {
        Node next;
        int[] data;
        String name;
        Node[] kids = new Node[2];
        static Node root = new Node();

        Node next() {
            return next;
        }

        static Node find(String key, int depth) {
            return null;
        }

        String[][] table() {
            return new String[1][];
        }
    }

    interface Act {
        Object run();
    }

    static void go(Act a) {
        try {
            System.out.println(a.run());
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }

    static void params(Node n, int i, int[][] grid, Integer boxed, Runnable r) {
        int j = 1;
        try {
            n.kids[i].kids[j].name = "x";
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            grid[i][j]++;
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            i = boxed + 1;
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            r.run();
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            long total = grid[j + i].length;
            System.out.println(total);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }

    Node own;

    void instance() {
        try {
            own.next.data[3] = 1;
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            this.own = new Node();
            own.next().next();
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) {
        go(() -> Node.root.next.next.name);
        go(() -> Node.root.next().name);
        go(() -> Node.find("k", 2).data);
        go(() -> Node.root.table()[0][1]);
        go(() -> Node.root.name.length());
        go(() -> Node.root.data[0]);
        go(() -> Node.root.kids[1].name);
        go(() -> Node.root.kids[0].kids.length);
        go(() -> ((Node) null).name);
        go(() -> new Node().next().kids[0]);
        go(() -> "a".equals(null) ? 1 : ((String) (Object) null).trim());
        params(new Node(), 0, new int[2][], null, null);
        new ExceptionNullChains().instance();
        NullPointerException own = new NullPointerException();
        System.out.println(own.getMessage() + " " + new NullPointerException("given").getMessage());
    }
}
