package wild;

import java.io.File;
import java.nio.charset.Charset;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What a machine or a run of a JVM answers: branches that depend on it, and uses that lead nowhere else. */
public class Answers {
    enum Colour { RED, GREEN }

    private static long last;

    public static int ticks() {
        return System.nanoTime() % 1000003 == 7 ? 1 : 0;
    }

    public static int slow() {
        long start = System.currentTimeMillis();
        int sum = 0;
        for (int i = 0; i < 3; i++) sum += i;
        if (System.currentTimeMillis() - start > 60000) throw new IllegalStateException("slow");
        return sum;
    }

    public static int processors() {
        return Runtime.getRuntime().availableProcessors() > 64 ? 1 : 0;
    }

    public static int memory() {
        return Runtime.getRuntime().maxMemory() > 1000 ? 1 : 0;
    }

    public static int system() {
        return System.getProperty("os.name").startsWith("Win") ? 1 : 0;
    }

    public static int flag() {
        return Boolean.getBoolean("wild.flag") ? 1 : 0;
    }

    public static int locale() {
        return Locale.getDefault().equals(Locale.GERMANY) ? 1 : 0;
    }

    public static int charset() {
        return Charset.defaultCharset().name().equals("UTF-16") ? 1 : 0;
    }

    public static int separator() {
        int before = File.separatorChar;
        return before == '\\' || File.separatorChar == '\\' ? 1 : 0;
    }

    public static int threads() {
        return Thread.activeCount() > 300 ? 1 : 0;
    }

    public static int identity() {
        return System.identityHashCode("a") == 12345 ? 1 : 0;
    }

    public static int hash() {
        return new Object().hashCode() == 12345 ? 1 : 0;
    }

    public static int day() {
        return LocalDate.now().getYear() == 1999 ? 1 : 0;
    }

    private static long time() {
        long now = System.nanoTime();
        return now / 1000;
    }

    public static int returned() {
        return time() == 5 ? 1 : 0;
    }

    public static int boxed() {
        Long now = System.nanoTime();
        return now.hashCode() == 77 ? 1 : 0;
    }

    public static int kept() {
        last = System.nanoTime();
        return isLate() ? 1 : 0;
    }

    private static boolean isLate() {
        return last == 5;
    }

    public static int collected() {
        StringBuilder text = new StringBuilder("at ");
        text.append(System.nanoTime());
        return text.length() == 4 ? 1 : 0;
    }

    public static int ordered() {
        Set<Object> all = new HashSet<>(Arrays.asList(new Object(), "text"));
        for (Object one : all) return one instanceof String ? 1 : 0;
        return 2;
    }

    public static int enums() {
        Map<Colour, Integer> all = new HashMap<>();
        all.put(Colour.RED, 1);
        all.put(Colour.GREEN, 2);
        int first = all.values().iterator().next();
        return first == 1 ? 1 : 0;
    }

    public static int immutable() {
        for (String one : Set.of("a", "b", "c", "d", "e", "f", "g")) if (one.equals("a")) return 1; else break;
        return 0;
    }

    public static int random() {
        return Math.random() < 0.0001 ? 1 : 0;
    }

    public static int printed(int n) {
        System.out.println("now " + System.currentTimeMillis());
        System.out.printf("%d%n", System.nanoTime());
        return n;
    }

    public static int elapsed(int n) {
        long start = System.nanoTime();
        int sum = 0;
        for (int i = 0; i < 3; i++) sum += i * n;
        long took = (System.nanoTime() - start) / 1000;
        System.out.println(sum + " in " + took);
        return sum > 0 ? 1 : 0;
    }

    public static Object stored(int n) {
        Quiet quiet = new Quiet();
        quiet.note();
        return n > 0 ? quiet : null;
    }

    private static long now() {
        return System.currentTimeMillis();
    }

    public static long given() {
        return now();
    }

    public static String lines(int n) {
        StringBuilder text = new StringBuilder();
        text.append(n).append(System.lineSeparator()).append(n);
        return text.toString();
    }

    public static int found(int n) {
        Map<Object, Integer> all = new HashMap<>();
        Object key = new Object();
        all.put(key, n);
        all.put(Colour.RED, n);
        return all.get(key) > 3 ? 1 : 0;
    }

    public static int counted(int n) {
        Set<Colour> all = new HashSet<>();
        if (n > 0) all.add(Colour.RED);
        all.add(Colour.GREEN);
        return all.size();
    }

    public static boolean compared(int n) {
        Set<Colour> one = new HashSet<>();
        one.add(Colour.RED);
        Set<Colour> other = new HashSet<>();
        other.add(n > 0 ? Colour.RED : Colour.GREEN);
        return one.equals(other);
    }

    public static String written(int n) {
        Object one = new Object();
        return n > 0 ? one.toString() : "object " + one;
    }

    public static String formatted(int n) {
        return String.format("%d%n", n);
    }
}
