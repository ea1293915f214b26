package wild;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.text.NumberFormat;
import java.util.List;
import java.util.Locale;
import java.util.Scanner;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Checksum;

/** What the classes of libraries do that small examples do not. */
public class Wild {
    private static final class Info {
        final int year;

        Info(int year) {
            this.year = year;
        }
    }

    private static final Info[] CACHE = new Info[1024];

    private static Info info(int year) {
        Info info = CACHE[year & 1023];
        if (info == null || info.year != year) {
            info = new Info(year);
            CACHE[year & 1023] = info;
        }
        return info;
    }

    /** A cache that is indexed by an input: one year is in it. */
    public static boolean cached(int year, int other) {
        info(2022);
        Info first = info(year);
        Info second = info(other);
        return first == second;
    }

    /** A sum that overflows, as libraries see it. */
    public static boolean overflows(long a, long b) {
        long sum = a + b;
        return (a ^ sum) < 0 && (a ^ b) >= 0;
    }

    /** The first day of the year of a time, as calendars compute it. */
    public static boolean isFirst(long time) {
        if (time < 0) return false;
        long day = time - time % 86400000L;
        int year = (int) (((day >> 1) + 31083597720000L) / 15778476000L);
        if (year % 400 != 0) return false;
        long start = 31536000000L * year + 86400000L * (year / 4) - 86400000L * (year / 100);
        return day == start + 86400000L * (year / 400) - 62167219200000L;
    }

    /** An object that the clock makes, or a number. */
    public static class Clocked {
        private final long time;

        public Clocked() {
            time = System.currentTimeMillis();
        }

        public Clocked(long time) {
            this.time = time;
        }

        public boolean isEarly() {
            return time < 1000;
        }
    }

    /** What its initializer leaves depends on a hash code. */
    public static class Hashed {
        private static final boolean ODD = new Object().hashCode() % 2 != 0;

        public static int odd(boolean wanted) {
            return wanted == ODD ? 1 : 0;
        }
    }

    public static boolean now(long time) {
        return time < System.currentTimeMillis();
    }

    public static int words(boolean all) throws IOException {
        int sum = 0;
        try (InputStream in = Wild.class.getClassLoader().getResourceAsStream("wild/words.txt");
                Scanner scanner = new Scanner(in, "UTF-8")) {
            while (scanner.hasNext()) {
                scanner.next();
                int count = Integer.parseInt(scanner.next());
                if (all || count > 1) sum += count;
            }
        }
        return Wild.class.getResourceAsStream("missing.txt") == null ? sum : -1;
    }

    public static String upper(String text) {
        return text.toUpperCase();
    }

    public static String padded(String text) {
        StringBuilder padded = new StringBuilder(text.length() + 16);
        return padded.append(text).append('.').toString();
    }

    /** The last index overflows an int, and the JVM says so in its message. */
    public static int copied(boolean all) {
        int[] from = new int[all ? 1 : 2];
        System.arraycopy(from, 1, new int[3], 0, Integer.MAX_VALUE);
        return from.length;
    }

    public static int digest(MessageDigest digest) {
        return digest.getDigestLength();
    }

    public static boolean isOpen(CountDownLatch latch) {
        return latch.getCount() == 0;
    }

    public static boolean newer() {
        return System.getProperty("java.class.version").compareTo("52") > 0 && System.getProperty("java.compiler") == null;
    }

    public static boolean named() {
        return System.getProperty("java.vm.name").startsWith("no such machine");
    }

    public static boolean identified() {
        return UUID.randomUUID().version() == 4;
    }

    public static boolean drawn() {
        return ThreadLocalRandom.current().nextInt(10) < 10;
    }

    public static boolean safe() {
        return new SecureRandom().nextInt(10) < 10;
    }

    public static String price(boolean large) {
        return NumberFormat.getCurrencyInstance(Locale.US).format(large ? 1234567 : -3.5);
    }

    public static long sum(boolean first) {
        Checksum sum = first ? new CRC32() : new Adler32();
        sum.update(200);
        sum.update("Wikipedia".getBytes(), 1, 5);
        return sum.getValue();
    }

    /** The directory is that of the process, and has no file of the second name. */
    public static int read(boolean there) throws IOException {
        Path path = Path.of(there ? "Cargo.toml" : "no such file");
        if (Files.notExists(path)) return Files.readString(path).length();
        List<String> lines = Files.readAllLines(path);
        boolean isSame = Files.readString(path).length() == Files.size(path) && Files.lines(path).count() == lines.size();
        return Files.isRegularFile(path) && !Files.isDirectory(path) && isSame ? lines.get(0).length() : -1;
    }

    /** Its initializer takes a branch, and nothing here initializes it. */
    public static class Problem extends Exception {
        private static final int LEVEL = Integer.getInteger("wild.level", 1) > 0 ? 1 : 2;

        public int level() {
            return LEVEL;
        }
    }

    public interface Level {
        int of(Problem problem, int level, long time);
    }

    public static int handled(Level level, int value) {
        return level.of(null, value, 1L) > 3 ? 1 : 0;
    }
}
