package made;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.util.BitSet;
import java.util.Date;
import java.util.Map;

/** Inputs whose types are classes of the JDK, or are made by a class beside them. */
public class Library {
    public static boolean isLate(Date date) {
        return date.getTime() > 1000;
    }

    public static int first(InputStream stream) throws IOException {
        return stream.read() == 7 ? 1 : 0;
    }

    public static boolean isSame(Map.Entry<Integer, Integer> entry) {
        return entry.getKey().equals(entry.getValue());
    }

    public static boolean isNegative(BigInteger number) {
        return number.signum() < 0;
    }

    public static boolean isEmpty(BitSet set) {
        return set.isEmpty();
    }

    public static String cause(Throwable thrown) {
        return thrown.getMessage() == null ? "none" : "some";
    }

    public static <T> boolean isNumber(Class<T> type) {
        return type == Integer.class;
    }

    public static <E extends Enum<E>> int constants(Class<E> type) {
        return type.getEnumConstants().length;
    }

    public static String zone() {
        return System.getProperty("user.timezone");
    }

    /** Only the class around it makes one. */
    public abstract static class View {
        private View() {}

        public int size() {
            return 1;
        }

        public boolean isSmall() {
            return size() < 5;
        }
    }

    /** A view of so many things. */
    public static View of(int size) {
        return new View() {
            @Override
            public int size() {
                return size;
            }
        };
    }

    private final int limit;

    public Library(int limit) {
        this.limit = limit;
    }

    /** Its objects have one of the class around them. */
    public class Inner {
        private final int size;

        public Inner(int size) {
            this.size = size;
        }

        public boolean fits() {
            return size <= limit;
        }
    }

    /** A plain constructor beside one that takes many paths. */
    public static final class Plan {
        private final int days;

        public Plan(int days) {
            this.days = days;
        }

        public Plan(Date from, Date to) {
            this.days = from.before(to) ? 1 : 0;
        }

        public boolean isShort() {
            return days < 3;
        }
    }

    /** Its room is part of it. */
    public static final class Buffer {
        private final char[] room;

        public Buffer(int capacity) {
            room = new char[capacity];
        }

        public int copied() {
            return room.clone().length;
        }
    }

    public static boolean isArray(java.lang.reflect.Type type) {
        return type instanceof Class && ((Class<?>) type).isArray();
    }
}
