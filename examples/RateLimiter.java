/**
 * A token bucket: at most {@code capacity} requests at once, refilled over time.
 *
 * <p>There is a bug in it. {@code evergreen explore} finds it:
 *
 * <pre>
 * evergreen explore examples/RateLimiter.java --method tokensAfter
 * </pre>
 */
public class RateLimiter {
    /** Requests that are free again after {@code seconds}, if {@code used} of {@code capacity} were taken. */
    public static int tokensAfter(int capacity, int used, int perSecond, int seconds) {
        if (capacity <= 0 || capacity > 1_000_000 || used < 0 || used > capacity) {
            throw new IllegalArgumentException("no such bucket");
        }
        if (perSecond < 1 || perSecond > 1000 || seconds < 0) {
            return 0;
        }
        int tokens = capacity - used;
        // Clamps the refill, but the product has overflowed by then: after a long pause the bucket runs dry.
        int refilled = tokens + perSecond * seconds;
        if (refilled > capacity) {
            refilled = capacity;
        }
        assert refilled >= tokens : "waiting takes tokens away";
        return refilled;
    }
}
