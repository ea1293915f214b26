package made;

/** Fields that constructors set. */
public class Sets {
    /** Set here. */
    private final Inner inner = new Inner();
    private final int[] numbers;
    /** Set to what a caller gives. */
    private final Inner given;
    private final Object lock = new Object();

    public Sets(Inner given) {
        this.numbers = new int[2];
        this.given = given;
    }

    public Sets() {
        this(null);
    }

    /** An object inside. */
    public static class Inner {
        int value;
    }

    public int length() {
        return numbers.length == 0 ? 0 : 1;
    }

    public int depth() {
        return inner.value > 3 ? 1 : 0;
    }

    public int open() {
        return given.value;
    }

    public int locked() {
        synchronized (lock) {
            return 1;
        }
    }
}
