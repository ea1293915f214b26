import evergreen.Probe;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * Runs methods on all inputs of their ranges and prints what each input did.
 *
 * <p>A line of input is a class with a static method {@code run} and its parameters, e.g. {@code Foo int:-4:4
 * boolean:0:1}. A line of output is the class, the input, how it ended and the probes that were hit, separated by tabs.
 */
public final class BruteForce {
    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        PrintStream out = new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), false);
        StringBuilder text = new StringBuilder();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.trim().split(" ");
            int count = words.length - 1;
            Class<?>[] types = new Class<?>[count];
            long[] low = new long[count];
            long[] high = new long[count];
            for (int i = 0; i < count; i++) {
                String[] range = words[i + 1].split(":");
                types[i] = type(range[0]);
                low[i] = Long.parseLong(range[1]);
                high[i] = Long.parseLong(range[2]);
            }
            Method method = Class.forName(words[0]).getDeclaredMethod("run", types);
            method.setAccessible(true);
            tryAll(words[0], method, types, low, high, text);
            out.append(text);
            text.setLength(0);
        }
        out.flush();
    }

    private static void tryAll(
            String name, Method method, Class<?>[] types, long[] low, long[] high, StringBuilder text)
            throws IllegalAccessException {
        long[] input = low.clone();
        while (true) {
            Object[] boxed = new Object[input.length];
            for (int i = 0; i < input.length; i++) {
                boxed[i] = box(types[i], input[i]);
            }
            text.append(name).append('\t');
            for (int i = 0; i < input.length; i++) {
                text.append(i == 0 ? "" : ",").append(input[i]);
            }
            Probe.take();
            try {
                Object result = method.invoke(null, boxed);
                text.append("\t=").append(result);
            } catch (InvocationTargetException e) {
                text.append("\t!").append(e.getCause().getClass().getName());
            }
            text.append('\t');
            int[] hits = Probe.take();
            for (int i = 0; i < hits.length; i++) {
                text.append(i == 0 ? "" : ",").append(hits[i]);
            }
            text.append('\n');
            int at = input.length - 1;
            while (at >= 0 && input[at] == high[at]) {
                input[at] = low[at];
                at--;
            }
            if (at < 0) {
                return;
            }
            input[at]++;
        }
    }

    private static Class<?> type(String name) {
        switch (name) {
            case "int":
                return int.class;
            case "long":
                return long.class;
            case "char":
                return char.class;
            case "byte":
                return byte.class;
            case "short":
                return short.class;
            case "boolean":
                return boolean.class;
            default:
                throw new IllegalArgumentException(name);
        }
    }

    private static Object box(Class<?> type, long value) {
        if (type == int.class) {
            return (int) value;
        } else if (type == long.class) {
            return value;
        } else if (type == char.class) {
            return (char) value;
        } else if (type == byte.class) {
            return (byte) value;
        } else if (type == short.class) {
            return (short) value;
        }
        return value != 0;
    }
}
