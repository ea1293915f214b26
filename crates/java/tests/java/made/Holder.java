package made;

/** Has a field that holds a record. */
public class Holder {
    private Makers.Range range;

    public void put(Makers.Range range) {
        this.range = range;
    }

    public int width() {
        if (range == null) return -1;
        int width = range.high() - range.low();
        return width < 0 ? 0 : width > 10 ? 10 : width;
    }
}
