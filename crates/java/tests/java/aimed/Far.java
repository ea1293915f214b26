package aimed;

import java.util.zip.CRC32;

/** Branches behind what has no symbols: the text of a double. */
public class Far {
    public static int equal(int x) {
        double y = Double.parseDouble(Double.toString(x / 2.0));
        return y == 617283.0 ? 1 : 2;
    }

    public static int window(int x, int z) {
        long y = Math.round(Double.parseDouble(Double.toString(x * 0.25)));
        if (y > 5000) {
            if (y < 5010) {
                if (z == 7) {
                    throw new IllegalStateException("found");
                }
                return 1;
            }
        }
        return 2;
    }

    public static int sum(int x, int z) {
        double y = Double.parseDouble(Double.toString(x + z));
        if (x < z) {
            return y == 12345.0 ? 1 : 2;
        }
        return 3;
    }

    public static int text(double y) {
        return ("<" + y * 2 + ">").equals("<12.5>") ? 1 : 2;
    }

    public static int chosen(double y) {
        switch (String.format("%.2f", y)) {
            case "7.77":
                return 1;
            case "-40.05":
                return 2;
            default:
                return 3;
        }
    }

    public static int literal(String s) {
        return s.intern().equals("magic") ? 1 : 2;
    }

    /** One of some hundred numbers: no distance leads there. */
    public static int rare(double y) {
        return Math.floorMod(Double.toString(y).hashCode(), 300) == 7 ? 1 : 2;
    }

    public static int never(double y) {
        return Double.toString(y).length() > 100 ? 1 : 2;
    }

    public static int summed(byte[] bytes) {
        CRC32 sum = new CRC32();
        sum.update(bytes);
        return sum.getValue() % 64 == 7 ? 1 : 2;
    }
}
