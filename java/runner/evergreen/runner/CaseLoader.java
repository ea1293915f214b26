package evergreen.runner;

import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/**
 * The class loader of one case. It sees the class path and the JDK, not this runner.
 *
 * <p>It is called "app" as the loader of an ordinary run is, because messages of ClassCastException name it.
 */
final class CaseLoader extends ClassLoader {
    private static final int[] NONE = new int[0];

    private final ClassPath path;

    CaseLoader(ClassPath path) {
        super("app", ClassLoader.getPlatformClassLoader());
        this.path = path;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = path.read(name.replace('.', '/').concat(".class"));
        if (bytes == null) throw new ClassNotFoundException(name);
        return defineClass(name, bytes, 0, bytes.length);
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

    /** Gives the driver API the values that it will hand out. */
    void draw(Object[] values) throws ReflectiveOperationException {
        Class<?> sym = Class.forName("evergreen.Sym", true, this);
        try {
            sym.getMethod("replay", Object[].class).invoke(null, (Object) values);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException("Sym.replay: " + e.getCause());
        }
    }

    /** The probes that were hit, in order; none if no probed class was loaded. */
    int[] probes() {
        Class<?> probe = findLoadedClass("evergreen.Probe");
        if (probe == null) return NONE;
        try {
            return (int[]) probe.getMethod("take").invoke(null);
        } catch (ReflectiveOperationException e) {
            return NONE;
        }
    }
}
