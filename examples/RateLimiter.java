/**
 * A token bucket: at most {@code CAPACITY} requests at once, {@code PER_SECOND} of them free again each second.
 *
 * <p>There is a bug in it, and this finds it:
 *
 * <pre>
 * evergreen explore examples/RateLimiter.java
 * </pre>
 */
public class RateLimiter {
    private static final int CAPACITY = 100;
    private static final int PER_SECOND = 20;

    /** Requests that are free {@code seconds} after {@code used} of them were taken. */
    public static int freeAfter(int used, int seconds) {
        if (used < 0 || used > CAPACITY || seconds < 0) {
            return 0;
        }
        int free = CAPACITY - used;
        int refilled = free + seconds * PER_SECOND;
        if (refilled > CAPACITY) {
            refilled = CAPACITY;
        }
        assert refilled >= free : "waiting took requests away";
        return refilled;
    }
}
