package wild;

/** A time that nobody reads. */
public class Quiet {
    private long stamp;

    public void note() {
        stamp = System.nanoTime();
    }
}
