import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Strings to bytes and back in three charsets. */
public class StringBytes {
    public static void main(String[] args) {
        String s = "a\u00e9\u20ac\ud83d\ude00";
        byte[] utf8 = s.getBytes(StandardCharsets.UTF_8);
        byte[] latin = s.getBytes(StandardCharsets.ISO_8859_1);
        byte[] ascii = "plain".getBytes(StandardCharsets.US_ASCII);
        System.out.println(Arrays.toString(utf8));
        System.out.println(Arrays.toString(latin));
        System.out.println(Arrays.toString(ascii));
        System.out.println(new String(utf8, StandardCharsets.UTF_8).equals(s) + " " + new String(latin, StandardCharsets.ISO_8859_1).length() + " " + new String(ascii, 1, 3, StandardCharsets.US_ASCII));
        String bad = new String(new byte[] {'x', (byte) 0xff, 'y'}, StandardCharsets.UTF_8);
        System.out.println(bad.length() + " " + (int) bad.charAt(1));
        int h = 0;
        for (byte b : utf8) {
            h = 31 * h + (b & 0xff);
        }
        System.out.println(h + " " + utf8.length);
    }
}
