import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** One path of {@code Loose.wert}, a test for each. Written by Evergreen. */
public class LooseTest {
    @Test
    public void wert_endsAsItShould() {
        Loose loose = make(Loose.class);
        Object gre = make("Loose$Gr\u00f6\u00dfe");
        set(loose, "gr\u00f6\u00dfe", gre);
        set(gre, "wert", 12, "n\u00e4chste", gre);
        assertEquals(12, loose.wert());
    }

    // Objects are made without a constructor: all their fields are 0, false or null until they are set.
    private static Object make(String name) {
        try {
            return make(Class.forName(name));
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static <T> T make(Class<T> type) {
        try {
            Class<?> unsafe = Class.forName("sun.misc.Unsafe");
            java.lang.reflect.Field instance = unsafe.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            Object made = unsafe.getMethod("allocateInstance", Class.class).invoke(instance.get(null), type);
            return type.cast(made);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static Object makeArray(String name, int length) {
        try {
            return java.lang.reflect.Array.newInstance(Class.forName(name).getComponentType(), length);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static void fill(Object array, Object... values) {
        for (int i = 0; i < values.length; i++) {
            java.lang.reflect.Array.set(array, i, values[i]);
        }
    }

    // Names and values in turn. The name of an inherited field has its class before it.
    private static void set(Object object, Object... fields) {
        try {
            for (int i = 0; i < fields.length; i += 2) {
                String name = (String) fields[i];
                int dot = name.lastIndexOf('.');
                Class<?> owner = dot < 0 ? object.getClass() : Class.forName(name.substring(0, dot));
                // Nobody may set the fields of records.
                org.junit.Assume.assumeFalse("a record", isRecord(owner));
                java.lang.reflect.Field field = owner.getDeclaredField(name.substring(dot + 1));
                field.setAccessible(true);
                field.set(object, fields[i + 1]);
            }
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isRecord(Class<?> type) {
        return type.getSuperclass() != null && type.getSuperclass().getName().equals("java.lang.Record");
    }
}
