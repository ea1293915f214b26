package made;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Period;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.EnumSet;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Scanner;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicReference;

/** Types of the JDK that methods take. */
public class Types {
    public enum Level { LOW, HIGH }

    public static boolean isNoon(LocalTime time) {
        return time.getHour() == 12;
    }

    public static boolean isNew(LocalDateTime time) {
        return time.getHour() == 0 && time.getMinute() == 0;
    }

    public static boolean isUtc(ZonedDateTime time) {
        return time.getZone().getId().equals("UTC");
    }

    public static boolean isLong(Period period) {
        return period.getMonths() > 11;
    }

    public static boolean isMay(YearMonth month) {
        return month.getMonthValue() == 5;
    }

    public static String zone(ZoneId zone) {
        return zone.getId();
    }

    public static String host(URI uri) {
        return uri.getHost();
    }

    public static boolean hasMore(Scanner scanner) {
        return scanner != null;
    }

    public static boolean isSeven(OptionalInt number) {
        return number.isPresent() && number.getAsInt() == 7;
    }

    public static boolean isSmall(OptionalLong number) {
        return number.orElse(0) < 7;
    }

    public static boolean isOne(OptionalDouble number) {
        return number.orElse(2) == 1;
    }

    public static String user(Properties properties) {
        return properties.getProperty("user", "nobody");
    }

    public static boolean isEmpty(BufferedReader reader) throws IOException {
        return reader.read() < 0;
    }

    public static boolean hasHigh(EnumSet<Level> levels) {
        return levels.contains(Level.HIGH);
    }

    public static String joined(StringJoiner joiner) {
        return joiner.add("a").add("b").toString();
    }

    public static boolean isSet(AtomicReference<String> reference) {
        return reference.get() != null;
    }

    public static boolean isNamed(Thread thread) {
        return thread.getName().isEmpty();
    }
}
