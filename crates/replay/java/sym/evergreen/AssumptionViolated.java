package evergreen;

/**
 * Thrown by {@link Sym#assume} when a concrete run does not meet an assumption.
 *
 * <p>Such a run says nothing about the program: a test runner should skip it, not fail it.
 */
public final class AssumptionViolated extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public AssumptionViolated(String message) {
        super(message);
    }
}
