/** A ring of at most {@code capacity} ints. */
public class BoundedBuffer {
    private final int[] ring;
    private int head;
    private int count;

    public BoundedBuffer(int capacity) {
        ring = new int[capacity];
    }

    public boolean put(int value) {
        if (count == ring.length) {
            return false;
        }
        ring[(head + count) % ring.length] = value;
        count++;
        return true;
    }

    public int get() {
        if (count == 0) {
            throw new IllegalStateException("the buffer is empty");
        }
        int value = ring[head];
        head = (head + 1) % ring.length;
        count--;
        return value;
    }

    /** The value {@code back} places before the newest. */
    public int peek(int back) {
        if (back < 0 || back >= count) {
            throw new IllegalArgumentException("no value there");
        }
        return ring[(head + count - 1 - back) % ring.length];
    }

    public int count() {
        return count;
    }
}
