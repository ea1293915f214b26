package evergreen.suite;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs test classes of JUnit 5 and tells what became of each test, one a line. */
public final class Five implements TestExecutionListener {
    private final List<String> lines = new ArrayList<>();

    private Five() {}

    public static void main(String[] classes) {
        PrintStream out = System.out;
        Five listener = new Five();
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
        for (String name : classes) request.selectors(DiscoverySelectors.selectClass(name));
        LauncherDiscoveryRequest built = request.build();
        LauncherFactory.create().execute(built, listener);
        Lines.print(out, listener.lines);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        Throwable thrown = result.getThrowable().orElse(null);
        if (!test.isTest() && thrown == null) return;
        boolean aborted = result.getStatus() == TestExecutionResult.Status.ABORTED;
        String fate = aborted ? "skipped" : thrown == null ? "passed" : "failed";
        lines.add(Lines.line(fate, name(test), thrown));
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        lines.add(Lines.line("skipped", name(test), null));
    }

    private static String name(TestIdentifier test) {
        MethodSource source = (MethodSource) test.getSource().filter(s -> s instanceof MethodSource).orElse(null);
        return source == null ? test.getDisplayName() : source.getClassName() + "." + source.getMethodName();
    }
}
