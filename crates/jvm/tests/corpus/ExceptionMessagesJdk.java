import java.util.ArrayList;
import java.util.List;

/** Messages of exceptions that library methods throw. */
public class ExceptionMessagesJdk {
    interface Act {
        void run() throws Exception;
    }

    static void go(Act a) {
        try {
            a.run();
            System.out.println("fine");
        } catch (Exception e) {
            System.out.println(e);
        }
    }

    enum E { A }

    public static void main(String[] args) {
        go(() -> Integer.parseInt("4x"));
        go(() -> Long.parseLong(""));
        go(() -> new ArrayList<>().get(0));
        go(() -> List.of(1, 2).get(2));
        go(() -> new ArrayList<>(-1));
        go(() -> E.valueOf("B"));
        go(() -> new ArrayList<>().iterator().next());
        go(() -> new java.util.Scanner("x").close());
        go(() -> java.util.Objects.checkIndex(5, 3));
        go(() -> "x".repeat(-1));
        go(() -> Character.toChars(-1));
        go(() -> new java.util.ArrayDeque<>().pop());
        go(() -> new java.util.PriorityQueue<>(0));
        go(() -> java.util.List.of((Object) null));
        go(() -> new java.util.HashMap<>(-3));
        go(() -> java.util.Optional.empty().get());
        go(() -> {
            throw new CloneNotSupportedException("own");
        });
        go(() -> Class.forName("does.not.Exist"));
    }
}
