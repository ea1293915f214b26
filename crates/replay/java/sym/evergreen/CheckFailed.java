package evergreen;

/** Thrown by {@link Sym#check} when a property does not hold. */
public final class CheckFailed extends Error {
    private static final long serialVersionUID = 1L;

    public CheckFailed(String message) {
        super(message);
    }
}
