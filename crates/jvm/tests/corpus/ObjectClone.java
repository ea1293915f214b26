import java.util.ArrayList;
import java.util.List;

/** clone: shallow and deep, of arrays and of hierarchies. */
public class ObjectClone {
    static class Node implements Cloneable {
        int value;
        Node next;
        int[] data = {1, 2};
        List<String> tags = new ArrayList<>();

        Node(int value, Node next) {
            this.value = value;
            this.next = next;
        }

        @Override
        public Node clone() {
            try {
                Node n = (Node) super.clone();
                n.data = data.clone();
                return n;
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }

        Node deep() {
            Node n = clone();
            n.tags = new ArrayList<>(tags);
            if (next != null) {
                n.next = next.deep();
            }
            return n;
        }
    }

    static class Special extends Node {
        final long extra = 77;

        Special() {
            super(9, new Node(8, null));
        }
    }

    public static void main(String[] args) {
        Node s = new Special();
        s.tags.add("t");
        Node c = s.clone();
        c.value = 1;
        c.next.value = 100;
        c.data[0] = 50;
        c.tags.add("u");
        System.out.println(s.value + " " + s.next.value + " " + s.data[0] + " " + s.tags + " " + (c instanceof Special) + " " + ((Special) c).extra);
        Node d = s.deep();
        d.next.value = 5;
        d.tags.clear();
        System.out.println(s.next.value + " " + s.tags + " " + d.tags);
        int[][] g = {{1, 2}, {3}};
        int[][] h = g.clone();
        h[1] = new int[] {9};
        h[0][0] = 7;
        System.out.println(g[0][0] + " " + g[1][0]);
        String[] t = {"x"};
        System.out.println(t.clone()[0] == t[0]);
        ArrayList<Integer> l = new ArrayList<>(List.of(1, 2));
        @SuppressWarnings("unchecked")
        ArrayList<Integer> lc = (ArrayList<Integer>) l.clone();
        lc.add(3);
        System.out.println(l + " " + lc);
    }
}
