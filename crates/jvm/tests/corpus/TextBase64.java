import java.util.Arrays;
import java.util.Base64;

/** Base64 and hex by hand, compared with java.util.Base64. */
public class TextBase64 {
    static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    static String encode(byte[] in) {
        StringBuilder sb = new StringBuilder();
        for (int i = 0; i < in.length; i += 3) {
            int v = (in[i] & 0xff) << 16 | (i + 1 < in.length ? (in[i + 1] & 0xff) << 8 : 0) | (i + 2 < in.length ? in[i + 2] & 0xff : 0);
            for (int k = 0; k < 4; k++) {
                sb.append(i + k <= in.length ? ALPHABET.charAt(v >> 18 - 6 * k & 63) : '=');
            }
        }
        return sb.toString();
    }

    static byte[] decode(String s) {
        int pad = s.endsWith("==") ? 2 : s.endsWith("=") ? 1 : 0;
        byte[] out = new byte[s.length() / 4 * 3 - pad];
        for (int i = 0, o = 0; i < s.length(); i += 4) {
            int v = 0;
            for (int k = 0; k < 4; k++) {
                v = v << 6 | Math.max(0, ALPHABET.indexOf(s.charAt(i + k)));
            }
            for (int k = 16; k >= 0 && o < out.length; k -= 8) {
                out[o++] = (byte) (v >> k);
            }
        }
        return out;
    }

    public static void main(String[] args) {
        byte[] data = new byte[20];
        for (int i = 0; i < data.length; i++) {
            data[i] = (byte) (i * 37 - 100);
        }
        for (int n = 0; n <= 6; n++) {
            byte[] part = Arrays.copyOf(data, n * 3 + n % 3);
            String e = encode(part);
            System.out.println(e + " " + Arrays.equals(decode(e), part) + " " + e.equals(Base64.getEncoder().encodeToString(part)));
        }
        System.out.println(Arrays.toString(Base64.getDecoder().decode("AP8B")));
        try {
            Base64.getDecoder().decode("*");
        } catch (IllegalArgumentException e) {
            System.out.println("illegal");
        }
    }
}
