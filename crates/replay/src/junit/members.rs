//! Members of a test class beside its tests: what catches printed text, and what calls methods that source cannot name.

use crate::Junit;

/// Members that catch what is printed.
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
