//! Members of a test class beside its tests: they capture printed text, call methods that source cannot name,
//! and make objects that no known public calls make.

use crate::Junit;

/// Members that capture printed text.
pub(super) fn capture(version: Junit) -> String {
    let (before, after, public) = match version {
        Junit::Five => ("@BeforeEach", "@AfterEach", ""),
        Junit::Four => ("@Before", "@After", "public "),
    };
    format!(
        r#"    private final PrintStream out = System.out;
    private final ByteArrayOutputStream caught = new ByteArrayOutputStream();

    {before}
    {public}void capture() throws Exception {{
        System.setOut(new PrintStream(caught, true, "UTF-8"));
    }}

    {after}
    {public}void release() {{
        System.setOut(out);
    }}

    private String printed() throws Exception {{
        return caught.toString("UTF-8");
    }}
"#
    )
}

/// Members that call what source cannot name.
pub(super) fn reflection() -> String {
    r#"    private static Object invoke(
            Class<?> owner, Object receiver, String name, Class<?>[] types, Object... values)
            throws Throwable {
        Method method = owner.getDeclaredMethod(name, types);
        method.setAccessible(true);
        try {
            return method.invoke(receiver, values);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static Object construct(Class<?> owner, Class<?>[] types, Object... values) throws Throwable {
        Constructor<?> constructor = owner.getDeclaredConstructor(types);
        constructor.setAccessible(true);
        try {
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
"#
    .into()
}

/// A member that reads static fields.
pub(super) const CONSTANT: &str = r#"
    private static Object constant(String type, String name) {
        try {
            java.lang.reflect.Field field = Class.forName(type).getDeclaredField(name);
            field.setAccessible(true);
            return field.get(null);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
"#;

/// A member that fills maps.
pub(super) const MAP: &str = r#"    // Keys and values in turn.
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <M extends java.util.Map> M map(M map, Object... entries) {
        for (int i = 0; i < entries.length; i += 2) {
            map.put(entries[i], entries[i + 1]);
        }
        return map;
    }
"#;

/// A member that changes an object by a call.
pub(super) const CHANGE: &str = r#"    private interface CallOn<T> {
        void make(T object) throws Throwable;
    }

    // The object after the call.
    private static <T> T after(T object, CallOn<T> call) throws Throwable {
        call.make(object);
        return object;
    }
"#;

/// Members that make objects field by field; `opens` if some are of the JDK.
pub(super) fn graph(version: Junit, opens: bool) -> String {
    let note = match opens {
        true => {
            "    // Objects of the JDK need the JVM's flag --add-opens java.base/java.util=ALL-UNNAMED.\n"
        }
        false => "",
    };
    let members = r#"    // Objects are made without a constructor: all their fields are 0, false or null until they are set.
NOTE    private static Object make(String name) {
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
                ASSUME
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
"#;
    let assume = match version {
        Junit::Five => "org.junit.jupiter.api.Assumptions.assumeFalse(isRecord(owner), \"a record\");",
        Junit::Four => "org.junit.Assume.assumeFalse(\"a record\", isRecord(owner));",
    };
    members.replace("NOTE", note).replace("ASSUME", assume)
}
