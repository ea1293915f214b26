import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Has the JVM verify classes: every argument is a folder, whose classes are loaded and linked before those of the class
 * path. What is refused is told on a line of its own: folder, tab, reason.
 */
public class Load {
    public static void main(String[] folders) throws Exception {
        for (String folder : folders) {
            try {
                link(Path.of(folder));
            } catch (LinkageError e) {
                System.out.println(folder + "\t" + String.valueOf(e).replace('\n', ' '));
            }
        }
        System.out.println("done");
    }

    private static void link(Path folder) throws Exception {
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.filter(file -> file.toString().endsWith(".class")).collect(Collectors.toList());
        }
        Loader loader = new Loader(folder);
        for (Path file : files) {
            String path = folder.relativize(file).toString();
            String name = path.substring(0, path.length() - ".class".length()).replace('/', '.');
            // Listing its methods links a class, and linking verifies it; nothing of it runs.
            loader.loadClass(name).getDeclaredMethods();
        }
    }

    /** Finds classes in a folder first. */
    private static final class Loader extends ClassLoader {
        private final Path folder;

        Loader(Path folder) {
            super(Load.class.getClassLoader());
            this.folder = folder;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            Path file = folder.resolve(name.replace('.', '/') + ".class");
            if (!Files.exists(file)) {
                return super.loadClass(name, resolve);
            }
            try {
                byte[] bytes = Files.readAllBytes(file);
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
