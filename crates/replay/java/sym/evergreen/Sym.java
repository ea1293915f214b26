package evergreen;

/**
 * Symbolic inputs for drivers.
 *
 * <p>A driver is a static method that draws inputs, calls the code under test and checks it:
 *
 * <pre>
 * static void addThenFind() {
 *     BinTree tree = new BinTree();
 *     int x = Sym.anInt("x");
 *     tree.add(x);
 *     Sym.check(tree.find(x), "an added key is found");
 * }
 * </pre>
 *
 * <p>Under {@code evergreen explore} the methods here are intercepted: each draw is a fresh symbolic
 * input. On an ordinary JVM they run as written below: draws take the values given to {@link
 * #replay}, in call order. That is how a generated test follows the path that it was made for.
 *
 * <p>The values in waiting belong to the calling thread.
 */
public final class Sym {
    private static final class Values {
        Object[] given = new Object[0];
        int next;
    }

    private static final ThreadLocal<Values> VALUES = new ThreadLocal<Values>() {
        @Override
        protected Values initialValue() {
            return new Values();
        }
    };

    private Sym() {}

    /** Any int. */
    public static int anInt(String name) {
        return ((Number) draw("anInt", name, Integer.class)).intValue();
    }

    /** An int between {@code low} and {@code high}, both included. */
    public static int anInt(String name, int low, int high) {
        int value = ((Number) draw("anInt", name, Integer.class)).intValue();
        if (value < low || value > high) {
            throw new AssumptionViolated(
                    "Sym.anInt(\"" + name + "\", " + low + ", " + high + "): the replayed value " + value
                            + " is outside of the range");
        }
        return value;
    }

    /** Any long. */
    public static long aLong(String name) {
        return ((Number) draw("aLong", name, Long.class)).longValue();
    }

    /** Either boolean. */
    public static boolean aBoolean(String name) {
        return ((Boolean) draw("aBoolean", name, Boolean.class)).booleanValue();
    }

    /** Any byte. */
    public static byte aByte(String name) {
        return ((Number) draw("aByte", name, Byte.class)).byteValue();
    }

    /** Any short. */
    public static short aShort(String name) {
        return ((Number) draw("aShort", name, Short.class)).shortValue();
    }

    /** Any char. */
    public static char aChar(String name) {
        return ((Character) draw("aChar", name, Character.class)).charValue();
    }

    /** Any float, the infinities and NaN included. */
    public static float aFloat(String name) {
        return ((Number) draw("aFloat", name, Float.class)).floatValue();
    }

    /** Any double, the infinities and NaN included. */
    public static double aDouble(String name) {
        return ((Number) draw("aDouble", name, Double.class)).doubleValue();
    }

    /** Any string, never null; its length is chosen when the program first needs it. */
    public static String aString(String name) {
        return (String) draw("aString", name, String.class);
    }

    /**
     * An array of booleans, never null, as are all arrays here. Its length, up to {@code --input-length}, is
     * chosen when the program first needs it.
     */
    public static boolean[] anArrayOfBooleans(String name) {
        return (boolean[]) draw("anArrayOfBooleans", name, boolean[].class);
    }

    /** An array of bytes. */
    public static byte[] anArrayOfBytes(String name) {
        return (byte[]) draw("anArrayOfBytes", name, byte[].class);
    }

    /** An array of shorts. */
    public static short[] anArrayOfShorts(String name) {
        return (short[]) draw("anArrayOfShorts", name, short[].class);
    }

    /** An array of chars. */
    public static char[] anArrayOfChars(String name) {
        return (char[]) draw("anArrayOfChars", name, char[].class);
    }

    /** An array of ints. */
    public static int[] anArrayOfInts(String name) {
        return (int[]) draw("anArrayOfInts", name, int[].class);
    }

    /** An array of longs. */
    public static long[] anArrayOfLongs(String name) {
        return (long[]) draw("anArrayOfLongs", name, long[].class);
    }

    /** An array of floats. */
    public static float[] anArrayOfFloats(String name) {
        return (float[]) draw("anArrayOfFloats", name, float[].class);
    }

    /** An array of doubles. */
    public static double[] anArrayOfDoubles(String name) {
        return (double[]) draw("anArrayOfDoubles", name, double[].class);
    }

    /** An array of strings, each of them a string or null. */
    public static String[] anArrayOfStrings(String name) {
        return (String[]) draw("anArrayOfStrings", name, String[].class);
    }

    /** One of {@code 0 .. ways - 1}: the explorer follows each of them as a path of its own. */
    public static int choose(int ways) {
        if (ways <= 0) {
            throw new IllegalArgumentException(
                    "Sym.choose(" + ways + "): there must be at least one way to choose");
        }
        int value = ((Number) draw("choose", "choose", Integer.class)).intValue();
        if (value < 0 || value >= ways) {
            throw new AssumptionViolated(
                    "Sym.choose(" + ways + "): the replayed value " + value + " is not in 0.." + (ways - 1));
        }
        return value;
    }

    /** Only runs in which {@code condition} holds go on. */
    public static void assume(boolean condition) {
        if (!condition) {
            throw new AssumptionViolated("Sym.assume: the replayed values do not meet the assumption");
        }
    }

    /** The property to be verified: a run in which it is false is a finding. */
    public static void check(boolean condition) {
        check(condition, "Sym.check: the condition is false");
    }

    /** As {@link #check(boolean)}, with words for the report. */
    public static void check(boolean condition, String message) {
        if (!condition) {
            throw new CheckFailed(message);
        }
    }

    /**
     * Sets the values that the following draws of this thread return, in call order; values left over
     * from before are dropped. Each must be of the drawn type ({@code Integer} for {@code anInt} and
     * {@code choose}, {@code Character} for {@code aChar}, ...).
     */
    public static void replay(Object... values) {
        Values mine = VALUES.get();
        mine.given = values.clone();
        mine.next = 0;
    }

    /** How many of the replayed values this thread has not drawn yet. */
    public static int remaining() {
        Values mine = VALUES.get();
        return mine.given.length - mine.next;
    }

    private static Object draw(String method, String name, Class<?> type) {
        Values mine = VALUES.get();
        if (mine.next >= mine.given.length) {
            throw new IllegalStateException(
                    "Sym." + method + "(\"" + name + "\"): no value is left for draw number " + (mine.next + 1)
                            + "; run this driver with `evergreen explore`, or call Sym.replay(...) first with one"
                            + " value for each draw");
        }
        Object value = mine.given[mine.next];
        if (!type.isInstance(value)) {
            throw new IllegalStateException(
                    "Sym." + method + "(\"" + name + "\"): draw number " + (mine.next + 1) + " needs a value of type "
                            + type.getSimpleName() + ", Sym.replay was given "
                            + (value == null ? "null" : value.getClass().getSimpleName() + " " + value));
        }
        mine.next++;
        return value;
    }
}
