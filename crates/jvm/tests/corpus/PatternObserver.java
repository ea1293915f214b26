import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Observers, commands with undo, a chain of handlers and a small event loop. */
public class PatternObserver {
    interface Command {
        void run();

        void undo();
    }

    static class Document {
        final StringBuilder text = new StringBuilder();
        final List<Consumer<String>> watchers = new ArrayList<>();
        final Deque<Command> done = new ArrayDeque<>();
        final Deque<Command> undone = new ArrayDeque<>();

        void execute(Command c) {
            c.run();
            done.push(c);
            undone.clear();
            changed();
        }

        boolean undo() {
            if (done.isEmpty()) {
                return false;
            }
            Command c = done.pop();
            c.undo();
            undone.push(c);
            changed();
            return true;
        }

        boolean redo() {
            if (undone.isEmpty()) {
                return false;
            }
            Command c = undone.pop();
            c.run();
            done.push(c);
            changed();
            return true;
        }

        void changed() {
            watchers.forEach(w -> w.accept(text.toString()));
        }

        Command insert(int at, String s) {
            return new Command() {
                public void run() {
                    text.insert(at, s);
                }

                public void undo() {
                    text.delete(at, at + s.length());
                }
            };
        }

        Command clear() {
            return new Command() {
                String old;

                public void run() {
                    old = text.toString();
                    text.setLength(0);
                }

                public void undo() {
                    text.append(old);
                }
            };
        }
    }

    public static void main(String[] args) {
        Document d = new Document();
        Map<Integer, String> history = new LinkedHashMap<>();
        d.watchers.add(s -> history.put(history.size(), s));
        d.watchers.add(s -> System.out.println("[" + s + "]"));
        d.execute(d.insert(0, "world"));
        d.execute(d.insert(0, "hello "));
        d.execute(d.clear());
        d.undo();
        d.undo();
        d.redo();
        d.execute(d.insert(5, ","));
        System.out.println(d.redo());
        while (d.undo()) {
            System.out.print("- ");
        }
        System.out.println(history.size() + " " + history.get(6));
    }
}
