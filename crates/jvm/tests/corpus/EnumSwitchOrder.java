/** Switches over several enums, enum constants with static state, enum in interfaces, valueOf by name. */
public class EnumSwitchOrder {
    enum Level {
        LOW(1), MID(5), HIGH(10);

        private static final java.util.Map<Integer, Level> BY_VALUE = new java.util.TreeMap<>();

        static {
            for (Level l : values()) {
                BY_VALUE.put(l.value, l);
            }
        }

        final int value;

        Level(int value) {
            this.value = value;
        }

        static Level of(int v) {
            return BY_VALUE.get(v);
        }
    }

    enum Color { RED, GREEN, BLUE }

    interface Holder {
        enum Mode { ON, OFF }

        Mode DEFAULT = Mode.OFF;
    }

    static int score(Level l, Color c) {
        int s = 0;
        switch (l) {
            case HIGH: s += 100;
            case MID: s += 10;
            case LOW: s += 1;
        }
        switch (c) {
            case BLUE -> s *= 2;
            case RED -> s = -s;
            default -> { }
        }
        return s;
    }

    static String mode(Holder.Mode m) {
        return switch (m) {
            case ON -> "on";
            case OFF -> "off";
        };
    }

    public static void main(String[] args) {
        for (Level l : Level.values()) {
            for (Color c : Color.values()) {
                System.out.print(score(l, c) + " ");
            }
        }
        System.out.println();
        System.out.println(Level.of(5) + " " + Level.of(6) + " " + mode(Holder.DEFAULT) + mode(Holder.Mode.valueOf("ON")));
        System.out.println(Color.RED.compareTo(Color.BLUE) + " " + Enum.valueOf(Color.class, "GREEN").ordinal() + " " + Color.class.getEnumConstants().length);
        System.out.println(Level.HIGH.equals(Color.RED) + " " + Level.LOW.getClass().isEnum());
        Object o = Color.GREEN;
        System.out.println(o instanceof Enum<?> && o instanceof Comparable<?>);
    }
}
