package evergreen.runner;

import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The class loader of a case. It sees the class path and the JDK, not this runner.
 *
 * <p>The next case gets another one, unless no class in it can tell: see {@link #isSpotless}.
 *
 * <p>It is called "app" as the loader of an ordinary run is, because messages of ClassCastException name it.
 */
final class CaseLoader extends ClassLoader {
    private static final int[] NONE = new int[0];

    private static final byte[] INITIALIZER = "<clinit>".getBytes(StandardCharsets.US_ASCII);

    private final ClassPath path;

    /** Whether all classes so far have neither static state nor an initializer. */
    private boolean spotless = true;

    /** The driver API, the same for all cases: it starts anew in each of them by itself. */
    private final Driver driver;

    CaseLoader(ClassPath path, Driver driver) {
        super("app", driver);
        this.path = path;
        this.driver = driver;
    }

    /** Loads the driver API, and nothing else of what lies beside it. */
    static final class Driver extends ClassLoader {
        private final ClassPath path;

        Driver(ClassPath path) {
            super("driver", ClassLoader.getPlatformClassLoader());
            this.path = path;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (!name.startsWith("evergreen.") || name.indexOf('.', 10) >= 0) throw new ClassNotFoundException(name);
            byte[] bytes = path.read(name.replace('.', '/').concat(".class"));
            if (bytes == null) throw new ClassNotFoundException(name);
            return defineClass(name, bytes, 0, bytes.length);
        }

        /** What is found here and above, by name; and the names that are not. */
        private final Map<String, Class<?>> given = new ConcurrentHashMap<>();
        private final Set<String> missing = ConcurrentHashMap.newKeySet();

        /** A class of the driver API or of the JDK; null if there is no such class. */
        Class<?> given(String name) {
            Class<?> found = given.get(name);
            if (found != null || missing.contains(name)) return found;
            try {
                found = loadClass(name);
                given.put(name, found);
            } catch (ClassNotFoundException e) {
                // Making this exception costs more than defining a small class.
                missing.add(name);
            }
            return found;
        }

        private Class<?> loaded(String name) {
            return findLoadedClass(name);
        }
    }

    /** As every loader does, the parent first; but what it said to the loader of another case is not asked again. */
    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> found = findLoadedClass(name);
            if (found == null) found = driver.given(name);
            return found == null ? findClass(name) : found;
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = path.read(name.replace('.', '/').concat(".class"));
        if (bytes == null) throw new ClassNotFoundException(name);
        Class<?> defined = defineClass(name, bytes, 0, bytes.length);
        // To list the fields of a class loads the classes of their types, which may have a state of their own.
        if (spotless && (contains(bytes, INITIALIZER) || hasState(defined))) spotless = false;
        return defined;
    }

    /** An object of an interface of these classes, whose abstract methods the handler answers. */
    Object function(Class<?> type, InvocationHandler handler) {
        Method[] methods = FunctionClass.methods(type);
        String name = type.getName() + "$$Answers";
        try {
            Class<?> function = findLoadedClass(name);
            if (function == null) {
                byte[] bytes = FunctionClass.of(name, type, methods);
                function = defineClass(name, bytes, 0, bytes.length);
            }
            return function.getConstructor(InvocationHandler.class, Method[].class).newInstance(handler, methods);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Whether another case would find these classes as if they were fresh. An initializer runs once: the other case would
     * miss what it prints and the branches that it takes. Loading classes is most of what a small case costs.
     */
    boolean isSpotless() {
        return spotless;
    }

    private static boolean hasState(Class<?> type) {
        try {
            for (Field field : type.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) && !Modifier.isFinal(field.getModifiers())) return true;
            }
            return false;
        } catch (LinkageError e) {
            return true;
        }
    }

    /** Whether the class file has the word among its constants; if it is there for another reason, little is lost. */
    private static boolean contains(byte[] bytes, byte[] word) {
        for (int i = 0; i + word.length <= bytes.length; i++) {
            int same = 0;
            while (same < word.length && bytes[i + same] == word[same]) same++;
            if (same == word.length) return true;
        }
        return false;
    }

    @Override
    protected URL findResource(String name) {
        List<URL> found = path.locate(name);
        return found.isEmpty() ? null : found.get(0);
    }

    @Override
    protected Enumeration<URL> findResources(String name) {
        return Collections.enumeration(path.locate(name));
    }

    /** Gives the driver API the values that it will hand out, and takes those that are left from before. */
    void draw(Object[] values) throws ReflectiveOperationException {
        if (values.length == 0 && driver.loaded("evergreen.Sym") == null) return;
        Class<?> sym = Class.forName("evergreen.Sym", true, this);
        try {
            sym.getMethod("replay", Object[].class).invoke(null, (Object) values);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException("Sym.replay: " + e.getCause());
        }
    }

    /** The probes that were hit, in order, and those that came too late; null until they are taken. */
    private int[][] probes;

    /** Takes the probes that were hit so far: what runs from now on, as a message of an exception, is no part of the test. */
    void takeProbes() {
        if (probes == null) probes = emptied();
    }

    private int[][] emptied() {
        Class<?> probe = driver.loaded("evergreen.Probe");
        if (probe == null) return new int[][] {NONE, null};
        try {
            int[] late = (int[]) probe.getMethod("late").invoke(null);
            return new int[][] {(int[]) probe.getMethod("take").invoke(null), late};
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** Writes the probes that were hit, in order; then whether there were too many for that, and those that came too late. */
    void writeProbes(DataOutputStream out) throws IOException {
        int[][] all = probes;
        // Those that came after they were taken are nobody's.
        int[][] rest = emptied();
        if (all == null) all = rest;
        probes = null;
        writeAll(out, all[0]);
        out.writeBoolean(all[1] != null);
        writeAll(out, all[1] == null ? NONE : all[1]);
    }

    private static void writeAll(DataOutputStream out, int[] numbers) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(4 * numbers.length);
        bytes.asIntBuffer().put(numbers);
        out.writeInt(numbers.length);
        out.write(bytes.array());
    }
}
