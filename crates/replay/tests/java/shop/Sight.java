package shop;

/** What a program can see of the JVM that it runs on. */
public class Sight {
    private static class Box {
        int[] content;
    }

    /** Its messages name variables and fields, which the JVM finds by following the code. */
    public static int helpful(int x) {
        Box[] boxes = new Box[3];
        boxes[1] = new Box();
        int sum = 0;
        for (int i = x > 5 ? 1 : 0; i < 3; i++) {
            sum += boxes[x > 7 && i == 2 ? 0 : i].content[x > 9 ? i : 0];
        }
        return sum;
    }

    public static String defaults() {
        return java.util.Locale.getDefault() + " " + java.nio.charset.Charset.defaultCharset() + " "
                + java.util.TimeZone.getDefault().getID() + " " + String.format("%.1f", 0.5);
    }
}
