package inputs;

import evergreen.Invariant;

/** A class whose invariant and check do not say the same: the check wants even sizes. */
@Invariant(
        """
        root class Wrong {
          first: Node
          size: int 0..scope
        }
        class Node {
          next: Node
        }
        invariant ends: all n in Node: n !in n.^next
        invariant counted: this.size = #Node
        """)
public class Wrong {
    static class Node {
        Node next;
    }

    Node first;
    int size;

    public boolean repOK() {
        int nodes = 0;
        for (Node node = first; node != null; node = node.next) {
            nodes++;
        }
        return nodes == size && nodes % 2 == 0;
    }

    public boolean hasTwo() {
        return first != null && first.next != null;
    }
}
