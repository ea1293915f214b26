package made;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/** Fields that every constructor sets to an object of the JDK. */
public class Locks {
    private final Object lock = new Object();
    private final List<String> names = new ArrayList<>();
    private final ConcurrentHashMap<String, String> known = new ConcurrentHashMap<>();
    private Locks next;

    public int depth() {
        synchronized (lock) {
            return next == null ? 0 : next.next == null ? 1 : 2;
        }
    }

    public boolean isNamed() {
        return !names.isEmpty() && "a".equals(names.get(0));
    }

    public boolean isKnown() {
        return known.containsKey("a");
    }
}
