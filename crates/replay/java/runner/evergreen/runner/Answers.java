package evergreen.runner;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A function of a case: it gives its answers in the order of its first calls, and the same answer for the same arguments. Numbers, strings
 * and boxes are the same if they are equal, other objects if they are one object.
 *
 * <p>An answer is made when it is first given, as on the path: its constructor may take branches.
 */
final class Answers implements InvocationHandler {
    private static final List<Class<?>> VALUES = Arrays.asList(
            String.class, Boolean.class, Byte.class, Character.class, Short.class, Integer.class, Long.class, Float.class, Double.class);

    private final Wire.Value[] answers;
    private final ClassLoader loader;
    private final Graph graph;
    private final List<Object[]> calls = new ArrayList<>();
    private final List<Object> given = new ArrayList<>();

    private Answers(Wire.Value[] answers, ClassLoader loader, Graph graph) {
        this.answers = answers;
        this.loader = loader;
        this.graph = graph;
    }

    static Object make(Class<?> type, Wire.Value[] answers, ClassLoader loader, Graph graph) {
        Answers handler = new Answers(answers, loader, graph);
        if (type.getClassLoader() instanceof CaseLoader) return ((CaseLoader) type.getClassLoader()).function(type, handler);
        return Proxy.newProxyInstance(loader, new Class<?>[] {type}, handler);
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] values) throws Throwable {
        Object[] arguments = values == null ? new Object[0] : values;
        if (method.getDeclaringClass() == Object.class) return ofObject(proxy, method, arguments);
        if (method.isDefault()) return runDefault(proxy, method, arguments);
        if (method.getReturnType() == void.class) return null;
        Object[] asked = new Object[arguments.length + 1];
        asked[0] = method;
        System.arraycopy(arguments, 0, asked, 1, arguments.length);
        for (int i = 0; i < calls.size(); i++) {
            if (same(calls.get(i), asked)) return given.get(i);
        }
        if (given.size() == answers.length) throw new IllegalStateException("a function is called more often than on the path");
        Object answer;
        try {
            answer = answers[given.size()].make(loader, graph);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        calls.add(asked);
        given.add(answer);
        return answer;
    }

    private static Object ofObject(Object proxy, Method method, Object[] arguments) {
        switch (method.getName()) {
            case "equals":
                return proxy == arguments[0];
            case "hashCode":
                return System.identityHashCode(proxy);
            default:
                return proxy.getClass().getName() + "@" + Integer.toHexString(System.identityHashCode(proxy));
        }
    }

    /** Of calls of one method the arguments are compared; an interface may have several. */
    private static boolean same(Object[] one, Object[] two) {
        if (!one[0].equals(two[0])) return false;
        for (int i = 1; i < one.length; i++) {
            Object a = one[i];
            Object b = two[i];
            if (a != b && (a == null || !VALUES.contains(a.getClass()) || !a.equals(b))) return false;
        }
        return true;
    }

    /** Runs the code that an interface has; the JVM lets only Java 16 and later call that of its own interfaces. */
    private static Object runDefault(Object proxy, Method method, Object[] arguments) throws Throwable {
        Class<?> owner = method.getDeclaringClass();
        if (owner.getClassLoader() != null) {
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(owner, MethodHandles.lookup());
            return lookup.unreflectSpecial(method, owner).bindTo(proxy).invokeWithArguments(arguments);
        }
        Method run = InvocationHandler.class.getMethod("invokeDefault", Object.class, Method.class, Object[].class);
        try {
            return run.invoke(null, proxy, method, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
