import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * Compiles several sets of sources, which may have classes of the same names, in one JVM. Arguments: {@code -d FOLDER FILE...}
 * for each set.
 */
public class CompileAll {
    public static void main(String[] arguments) {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        List<String> set = new ArrayList<>();
        for (int i = 0; i <= arguments.length; i++) {
            if (i == arguments.length || (arguments[i].equals("-d") && !set.isEmpty())) {
                List<String> all = new ArrayList<>(List.of("-g", "-nowarn", "-proc:none"));
                all.addAll(set);
                if (javac.run(null, null, null, all.toArray(new String[0])) != 0) {
                    System.exit(1);
                }
                set.clear();
            }
            if (i < arguments.length) {
                set.add(arguments[i]);
            }
        }
    }
}
