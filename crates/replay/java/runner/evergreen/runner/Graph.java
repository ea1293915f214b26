package evergreen.runner;

import java.io.DataInputStream;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * The objects of a case: all are made first and filled then, so that they may point to each other as they like.
 *
 * <p>No constructor runs. It could print, count in a static field, take branches that the path does not have, or fail; and whatever
 * it stores is either overwritten here or read by nobody. The JVM's own Unsafe makes objects so. It also sets the fields of records, which
 * reflection refuses; all other fields, final ones too, are set by reflection, which checks types.
 */
final class Graph {
    private final Wire.Value[] shapes;
    private Object[] made;

    private Graph(Wire.Value[] shapes) {
        this.shapes = shapes;
    }

    static Graph read(DataInputStream in) throws IOException {
        return new Graph(Wire.readValues(in));
    }

    /** Makes all objects. The class under test is initialized first, as on the path; the others in the order of the objects. */
    void make(String tested, ClassLoader loader) throws ReflectiveOperationException {
        if (shapes.length > 0) Class.forName(tested, true, loader);
        made = new Object[shapes.length];
        for (int i = 0; i < made.length; i++) made[i] = allocate(shapes[i], loader);
        for (int i = 0; i < made.length; i++) fill(made[i], shapes[i], loader);
    }

    Object get(int index) {
        if (index < 0 || index >= made.length) throw new IllegalArgumentException("there is no object " + index);
        return made[index];
    }

    private static Object allocate(Wire.Value shape, ClassLoader loader) throws ReflectiveOperationException {
        if (shape.tag == '[') return Array.newInstance(Wire.elementType(shape.type, loader), shape.items.length);
        if (shape.tag != '{') throw new IllegalArgumentException("no object begins with " + shape.tag);
        Class<?> type = Class.forName(shape.type, true, loader);
        return Raw.allocate(type);
    }

    private void fill(Object object, Wire.Value shape, ClassLoader loader) throws ReflectiveOperationException {
        for (int i = 0; i < shape.items.length; i++) {
            Object value = shape.items[i].make(loader, this);
            if (shape.tag == '[') {
                Array.set(object, i, value);
            } else {
                set(object, Class.forName(shape.owners[i], false, loader).getDeclaredField(shape.names[i]), value);
            }
        }
    }

    private static void set(Object object, Field field, Object value) throws ReflectiveOperationException {
        Class<?> above = field.getDeclaringClass().getSuperclass();
        if (above != null && above.getName().equals("java.lang.Record")) {
            Raw.set(object, field, value);
            return;
        }
        field.setAccessible(true);
        field.set(object, value);
    }

    /** The JVM's own Unsafe, by reflection: it is no API, and the caller opens its package. */
    private static final class Raw {
        private static final Object UNSAFE;
        private static final Class<?> TYPE;

        static {
            try {
                TYPE = Class.forName("jdk.internal.misc.Unsafe");
                Method get = TYPE.getMethod("getUnsafe");
                get.setAccessible(true);
                UNSAFE = get.invoke(null);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }

        private static Object call(String name, Class<?>[] types, Object... values) throws ReflectiveOperationException {
            Method method = TYPE.getMethod(name, types);
            method.setAccessible(true);
            try {
                return method.invoke(UNSAFE, values);
            } catch (InvocationTargetException e) {
                if (e.getCause() instanceof ReflectiveOperationException) throw (ReflectiveOperationException) e.getCause();
                if (e.getCause() instanceof Error) throw (Error) e.getCause();
                throw e;
            }
        }

        static Object allocate(Class<?> type) throws ReflectiveOperationException {
            return call("allocateInstance", new Class<?>[] {Class.class}, type);
        }

        static void set(Object object, Field field, Object value) throws ReflectiveOperationException {
            Class<?> type = field.getType();
            // A wrong type here would break the JVM, not the case.
            if (!type.isPrimitive() && value != null && !type.isInstance(value)) {
                throw new IllegalArgumentException("a " + value.getClass().getName() + " is no " + type.getName());
            }
            if (!field.getDeclaringClass().isInstance(object)) throw new IllegalArgumentException("no field of it: " + field);
            Object offset = call("objectFieldOffset", new Class<?>[] {Field.class}, field);
            Class<?> declared = type.isPrimitive() ? type : Object.class;
            String kind = type.isPrimitive() ? type.getName() : reference();
            String name = "put" + Character.toUpperCase(kind.charAt(0)) + kind.substring(1);
            call(name, new Class<?>[] {Object.class, long.class, declared}, object, offset, value);
        }

        /** Java 11 has another word for it. */
        private static String reference() {
            try {
                TYPE.getMethod("putReference", Object.class, long.class, Object.class);
                return "reference";
            } catch (NoSuchMethodException e) {
                return "object";
            }
        }
    }
}
