package calls;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Stacks of which some cannot be built by calls without anybody noticing. */
public class Stacks {
    static class Cell {
        int value;
        Cell below;
        int unread = 5;

        Cell(int value, Cell below) {
            this.value = value;
            this.below = below;
        }
    }

    /** The value on top, or -1. */
    static int top(Cell cell) {
        return cell == null ? -1 : cell.value == 3 ? 30 : 0;
    }

    public static class Plain {
        Cell top;
        int changes;

        public void push(int value) {
            top = new Cell(value, top);
            changes++;
        }

        public int top() {
            return Stacks.top(top);
        }

        /** Reads a counter, which may be anything. */
        public int pop() {
            changes++;
            Cell cell = top;
            if (cell == null) return -1;
            top = cell.below;
            return top == null ? 0 : 1;
        }

        /** Says what the counter is, and calls make another one. */
        public int many() {
            return changes == 17 && top != null ? 1 : 0;
        }

        public boolean isBelow(Plain other) {
            return other != null && top != null && other.top != null && top.value < other.top.value;
        }
    }

    /** Its methods name a class that tests cannot name. */
    public static class Secret {
        private static class Part {
            int value;
        }

        Part part;

        public Part other(Part other, Part[] all) {
            return other == part ? null : other == null ? part : other.value == part.value ? other : part;
        }
    }

    /** Its constructor leaves a trace. */
    public static class Counted {
        static int made;
        Cell top;

        public Counted() {
            made++;
        }

        public void push(int value) {
            top = new Cell(value, top);
        }

        public int top() {
            return made > 0 ? -2 : Stacks.top(top);
        }
    }

    /** A list that was there before is longer after. */
    public static class Remembered {
        static final List<Object> ALL = new ArrayList<>();
        Cell top;

        public void push(int value) {
            top = new Cell(value, top);
            ALL.add(this);
        }

        public int top() {
            return ALL.size() > 0 ? -2 : Stacks.top(top);
        }
    }

    /** It is heard. */
    public static class Loud {
        Cell top;

        public void push(int value) {
            System.out.println(value);
            top = new Cell(value, top);
        }

        public int top() {
            return Stacks.top(top);
        }
    }

    /** A test would have to declare what it throws. */
    public static class Throwing {
        Cell top;

        public void push(int value) throws IOException {
            top = new Cell(value, top);
        }

        public int top() {
            return Stacks.top(top);
        }
    }

    /** Nobody else can make one. */
    public static class Closed {
        Cell top;

        private Closed() {}

        public void push(int value) {
            top = new Cell(value, top);
        }

        public int top() {
            return Stacks.top(top);
        }
    }

    /** It needs another object. */
    public class Inner {
        Cell top;

        public void push(int value) {
            top = new Cell(value, top);
        }

        public int top() {
            return Stacks.top(top);
        }
    }
}
