package wild;

import java.util.Iterator;

/** Its assertion gives it an initializer with a branch; its anonymous class has none. */
public class Held {
    private final int count;

    public Held(int count) {
        this.count = count;
    }

    public int count() {
        assert count != 4;
        return count;
    }

    public Iterator<Integer> all() {
        return new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < count;
            }

            @Override
            public Integer next() {
                return next++;
            }
        };
    }
}
