/** Helpful NullPointerException messages for each kind of use. */
public class ExceptionNullMessages {
    int field;
    int[] cells;
    ExceptionNullMessages next;
    static ExceptionNullMessages shared;
    static int[][] grid = new int[2][];
    static Object[] objects;

    interface Act {
        void run();
    }

    static void go(Act a) {
        try {
            a.run();
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }

    int method(int x) {
        return x;
    }

    static ExceptionNullMessages none(int x) {
        return null;
    }

    static void locals(ExceptionNullMessages param, String text) {
        ExceptionNullMessages local = null;
        try {
            local.field = 1;
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(param.next.field);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(text.length());
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            param.next.next.method(3);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) {
        go(() -> System.out.println(shared.field));
        go(() -> shared.field = 3);
        go(() -> shared.method(1));
        go(() -> System.out.println(new ExceptionNullMessages().cells[2]));
        go(() -> new ExceptionNullMessages().cells[2] = 1);
        go(() -> System.out.println(new ExceptionNullMessages().cells.length));
        go(() -> grid[1][0] = 5);
        go(() -> System.out.println(objects[0]));
        go(() -> System.out.println(none(1).next));
        go(() -> { throw null; });
        go(() -> {
            synchronized (shared) {
                System.out.println("no");
            }
        });
        go(() -> {
            Integer boxed = null;
            int x = boxed;
        });
        locals(new ExceptionNullMessages(), null);
        go(() -> java.util.Objects.requireNonNull(null, "needed"));
        go(() -> java.util.Objects.requireNonNull(shared));
    }
}
