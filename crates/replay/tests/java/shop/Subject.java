package shop;

import evergreen.Sym;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;

/** What the tests of replay call: every way to take a value and to end. */
public class Subject {
    public enum Color {
        RED,
        GREEN {
            @Override
            public String toString() {
                return "grass";
            }
        }
    }

    private static final class Hidden extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private static int count;
    private int calls;

    public static int count() {
        return ++count;
    }

    public int calls() {
        return ++calls;
    }

    public static boolean echo(boolean value) {
        return value;
    }

    public static byte echo(byte value) {
        return value;
    }

    public static char echo(char value) {
        return value;
    }

    public static short echo(short value) {
        return value;
    }

    public static int echo(int value) {
        return value;
    }

    public static long echo(long value) {
        return value;
    }

    public static float echo(float value) {
        return value;
    }

    public static double echo(double value) {
        return value;
    }

    public static String echo(String value) {
        return value;
    }

    public static Object echo(Object value) {
        return value;
    }

    public static Integer echo(Integer value) {
        return value;
    }

    public static Color echo(Color value) {
        return value;
    }

    public static int[] echo(int[] value) {
        return value;
    }

    public static byte[] echo(byte[] value) {
        return value;
    }

    public static double[] echo(double[] value) {
        return value;
    }

    public static boolean[] echo(boolean[] value) {
        return value;
    }

    public static String[][] echo(String[][] value) {
        return value;
    }

    public static <T extends Comparable<T>> T larger(T a, T b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    public static int quotient(int a, int b) {
        return a / b;
    }

    public static int sum(int[] values, long[] weights) {
        int sum = 0;
        for (int i = 0; i < values.length; i++) sum += values[i] * (int) weights[i];
        return sum;
    }

    public static void greet(String name) {
        System.out.println("hello, " + name);
    }

    public static int greetAndFail(int x) throws IOException {
        System.out.print("before");
        if (x > 3) throw new IOException("no \"quotes\"\n");
        return x;
    }

    public static void throwHidden() {
        throw new Hidden();
    }

    public static void throwAnonymous() {
        throw new RuntimeException("outer") {
            private static final long serialVersionUID = 1L;
        };
    }

    public static Object someObject() {
        return new StringBuilder();
    }

    public static Runnable someLambda() {
        return () -> {};
    }

    public static String castTo(Object value) {
        return (String) (Object) new Subject();
    }

    public static Color cast(int x) {
        return (Color) (Object) new Subject[x];
    }

    private static int secret(int x) {
        if (x < 0) throw new IllegalArgumentException("negative");
        return x + 1;
    }

    private static String join(String[] words) {
        return String.join("", words);
    }

    public static int check(int x) {
        assert x > 0 : "not positive";
        return x;
    }

    public static int draw() {
        int x = Sym.anInt("x");
        char c = Sym.aChar("c");
        Sym.check(x != c, "different");
        return x + c;
    }

    public static void exit(int status) {
        System.out.print("bye");
        System.exit(status);
    }

    public static void halt(int status) {
        Runtime.getRuntime().halt(status);
    }

    public static void die() throws Exception {
        new ProcessBuilder("kill", "-9", "" + ProcessHandle.current().pid()).start().waitFor();
    }

    public static int hang(int x) {
        System.out.print("hanging");
        while (x > 0) {
            if (x == 1000) x++;
        }
        return x;
    }

    public static int recurse(int x) {
        return recurse(x + 1) + 1;
    }

    public static int allocate(int length) {
        long[] a = new long[length];
        return a.length;
    }

    public static void leaveThread() {
        new Thread(() -> {
            while (true) Thread.onSpinWait();
        }).start();
    }

    public static void writeDirectly() throws IOException {
        new FileOutputStream(FileDescriptor.out).write("direct".getBytes());
    }

    public static String loader() {
        return String.valueOf(Subject.class.getClassLoader() == Thread.currentThread().getContextClassLoader());
    }

    public static int resource() throws IOException {
        return Subject.class.getResourceAsStream("Subject.class").read();
    }

    /** Its initializer fails. */
    public static class Broken {
        static final int VALUE = quotient(1, 0);

        public static int value() {
            return VALUE;
        }
    }

    /** It has static state and no initializer. */
    public static class Counter {
        private static int count;

        public static int next() {
            return ++count;
        }
    }

    /** It has neither, and loads what has. */
    public static class Plain {
        public static int twice(int x) {
            return 2 * x;
        }

        public static int count() {
            return Counter.next();
        }
    }
}
