package evergreen.suite;

import java.io.PrintStream;
import java.util.List;

/** The lines that the caller reads: a mark, what became of a test, its name, and why it failed. */
final class Lines {
    private Lines() {}

    static String line(String fate, String name, Throwable thrown) {
        String reason = thrown == null ? "" : thrown.toString().replace('\n', ' ').replace('\r', ' ').replace('\t', ' ');
        return "\u001e" + fate + "\t" + name + "\t" + reason;
    }

    static void print(PrintStream out, List<String> lines) {
        out.println();
        for (String line : lines) out.println(line);
        out.flush();
        // Threads that tests left behind do not keep the JVM alive.
        Runtime.getRuntime().halt(0);
    }
}
