/** SHA-256 by hand: rotations, choices, and a schedule of ints. */
public class AlgoSha256 {
    static final int[] K = new int[64];
    static final int[] H = new int[8];

    static {
        int n = 0;
        for (int p = 2; n < 64; p++) {
            boolean prime = true;
            for (int d = 2; d * d <= p; d++) {
                prime &= p % d != 0;
            }
            if (prime) {
                double cube = Math.cbrt(p);
                K[n] = (int) (long) ((cube - Math.floor(cube)) * 4294967296.0);
                if (n < 8) {
                    double root = Math.sqrt(p);
                    H[n] = (int) (long) ((root - Math.floor(root)) * 4294967296.0);
                }
                n++;
            }
        }
    }

    static String digest(String text) {
        int len = text.length();
        byte[] m = new byte[(len + 72) / 64 * 64];
        for (int i = 0; i < len; i++) {
            m[i] = (byte) text.charAt(i);
        }
        m[len] = (byte) 0x80;
        for (int i = 0; i < 8; i++) {
            m[m.length - 1 - i] = (byte) ((long) len * 8 >>> 8 * i);
        }
        int[] h = H.clone();
        int[] w = new int[64];
        for (int at = 0; at < m.length; at += 64) {
            for (int t = 0; t < 16; t++) {
                w[t] = m[at + 4 * t] << 24 | (m[at + 4 * t + 1] & 255) << 16 | (m[at + 4 * t + 2] & 255) << 8 | m[at + 4 * t + 3] & 255;
            }
            for (int t = 16; t < 64; t++) {
                int a = w[t - 15];
                int b = w[t - 2];
                w[t] = w[t - 16] + (r(a, 7) ^ r(a, 18) ^ a >>> 3) + w[t - 7] + (r(b, 17) ^ r(b, 19) ^ b >>> 10);
            }
            int[] v = h.clone();
            for (int t = 0; t < 64; t++) {
                int t1 = v[7] + (r(v[4], 6) ^ r(v[4], 11) ^ r(v[4], 25)) + (v[4] & v[5] ^ ~v[4] & v[6]) + K[t] + w[t];
                int t2 = (r(v[0], 2) ^ r(v[0], 13) ^ r(v[0], 22)) + (v[0] & v[1] ^ v[0] & v[2] ^ v[1] & v[2]);
                System.arraycopy(v, 0, v, 1, 7);
                v[4] += t1;
                v[0] = t1 + t2;
            }
            for (int i = 0; i < 8; i++) {
                h[i] += v[i];
            }
        }
        StringBuilder sb = new StringBuilder();
        for (int x : h) {
            String hex = Integer.toHexString(x);
            sb.append("0".repeat(8 - hex.length())).append(hex);
        }
        return sb.toString();
    }

    static int r(int x, int n) {
        return x >>> n | x << 32 - n;
    }

    public static void main(String[] args) {
        System.out.println(digest(""));
        System.out.println(digest("abc"));
        System.out.println(digest("a".repeat(100)));
    }
}
