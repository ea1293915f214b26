import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Atomics and ConcurrentHashMap used by one thread. */
public class AtomicsSingleThread {
    public static void main(String[] args) {
        AtomicInteger i = new AtomicInteger(5);
        System.out.println(i.incrementAndGet() + " " + i.getAndAdd(10) + " " + i.compareAndSet(16, 20) + " " + i.compareAndSet(1, 2) + " " + i.updateAndGet(x -> x * 3) + " " + i);
        AtomicLong l = new AtomicLong();
        l.addAndGet(1L << 40);
        l.accumulateAndGet(5, Math::max);
        System.out.println(l.getAndDecrement() + " " + l.get());
        AtomicReference<String> r = new AtomicReference<>("a");
        System.out.println(r.getAndSet("b") + r.compareAndSet("b", "c") + r.get());
        AtomicBoolean b = new AtomicBoolean();
        System.out.println(b.getAndSet(true) + " " + b.compareAndSet(true, false) + " " + b);
        AtomicIntegerArray a = new AtomicIntegerArray(3);
        a.incrementAndGet(1);
        a.set(2, 9);
        System.out.println(a + " " + a.length());
        ConcurrentHashMap<String, Integer> m = new ConcurrentHashMap<>();
        for (String w : "a b a c b a".split(" ")) {
            m.merge(w, 1, Integer::sum);
        }
        System.out.println(m + " " + m.putIfAbsent("z", 1) + " " + m.getOrDefault("q", 0) + " " + m.replace("a", 3, 30) + " " + m.get("a") + " " + m.size());
        try {
            m.put("n", null);
        } catch (NullPointerException e) {
            System.out.println("no nulls");
        }
        System.out.println(m.computeIfAbsent("new", String::length) + " " + m.remove("b") + " " + m.containsKey("b"));
    }
}
