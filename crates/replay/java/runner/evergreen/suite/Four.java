package evergreen.suite;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/** Runs test classes of JUnit 4 and tells what became of each test, one a line. */
public final class Four extends RunListener {
    private final List<String> lines = new ArrayList<>();
    private final Map<Description, Throwable> failures = new HashMap<>();
    private final Set<Description> aborted = new HashSet<>();

    private Four() {}

    public static void main(String[] names) throws ClassNotFoundException {
        PrintStream out = System.out;
        Class<?>[] classes = new Class<?>[names.length];
        for (int i = 0; i < names.length; i++) classes[i] = Class.forName(names[i]);
        Four listener = new Four();
        JUnitCore core = new JUnitCore();
        core.addListener(listener);
        core.run(classes);
        Lines.print(out, listener.lines);
    }

    @Override
    public void testFailure(Failure failure) {
        Description test = failure.getDescription();
        failures.put(test, failure.getException());
        // What fails before a test starts does not finish either.
        if (!test.isTest()) testFinished(test);
    }

    @Override
    public void testAssumptionFailure(Failure failure) {
        aborted.add(failure.getDescription());
    }

    @Override
    public void testFinished(Description test) {
        Throwable thrown = failures.get(test);
        String fate = aborted.contains(test) ? "skipped" : thrown == null ? "passed" : "failed";
        lines.add(Lines.line(fate, name(test), thrown));
    }

    @Override
    public void testIgnored(Description test) {
        lines.add(Lines.line("skipped", name(test), null));
    }

    private static String name(Description test) {
        return test.getClassName() + "." + test.getMethodName();
    }
}
