package wild;

/** An enum with a field, a constant with a body, and a branch on which constant it is. */
public enum Light {
    RED(3),
    GREEN(5),
    OFF(0) {
        @Override
        public boolean isOn() {
            return false;
        }
    };

    private final int seconds;

    Light(int seconds) {
        this.seconds = seconds;
    }

    public int after(int time) {
        if (this == OFF) return -1;
        return time < seconds ? 0 : time - seconds;
    }

    public boolean isOn() {
        return seconds > 0;
    }
}
