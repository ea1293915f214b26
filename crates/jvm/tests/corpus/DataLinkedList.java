/** A singly linked list by hand: reverse, middle, cycle detection, merge sort. */
public class DataLinkedList {
    static class Node {
        int v;
        Node next;

        Node(int v, Node next) {
            this.v = v;
            this.next = next;
        }
    }

    static Node of(int... vs) {
        Node head = null;
        for (int i = vs.length - 1; i >= 0; i--) {
            head = new Node(vs[i], head);
        }
        return head;
    }

    static String show(Node n) {
        StringBuilder sb = new StringBuilder();
        for (; n != null; n = n.next) {
            sb.append(n.v).append(n.next == null ? "" : ">");
        }
        return sb.toString();
    }

    static Node reverse(Node n) {
        Node out = null;
        while (n != null) {
            Node next = n.next;
            n.next = out;
            out = n;
            n = next;
        }
        return out;
    }

    static Node middle(Node n) {
        Node slow = n;
        for (Node fast = n; fast != null && fast.next != null; fast = fast.next.next) {
            slow = slow.next;
        }
        return slow;
    }

    static boolean cyclic(Node n) {
        Node fast = n;
        while (fast != null && fast.next != null) {
            n = n.next;
            fast = fast.next.next;
            if (n == fast) {
                return true;
            }
        }
        return false;
    }

    static Node merge(Node a, Node b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        if (a.v <= b.v) {
            a.next = merge(a.next, b);
            return a;
        }
        b.next = merge(a, b.next);
        return b;
    }

    static Node sort(Node n) {
        if (n == null || n.next == null) {
            return n;
        }
        Node before = null;
        Node slow = n;
        for (Node fast = n; fast != null && fast.next != null; fast = fast.next.next) {
            before = slow;
            slow = slow.next;
        }
        before.next = null;
        return merge(sort(n), sort(slow));
    }

    public static void main(String[] args) {
        System.out.println(show(reverse(of(1, 2, 3, 4))) + " " + show(reverse(null)) + "." + middle(of(1, 2, 3, 4, 5)).v);
        Node loop = of(1, 2, 3);
        System.out.println(cyclic(loop));
        loop.next.next.next = loop.next;
        System.out.println(cyclic(loop));
        System.out.println(show(sort(of(5, 2, 8, 1, 9, 3, 3))) + " " + show(merge(of(1, 4), of(2, 3, 9))));
    }
}
