/** Hash functions by hand: FNV-1a, Adler-32, CRC-32 with a table, djb2, Murmur finalizer. */
public class AlgoHashing {
    static final int[] TABLE = new int[256];

    static {
        for (int i = 0; i < 256; i++) {
            int c = i;
            for (int k = 0; k < 8; k++) {
                c = (c & 1) != 0 ? 0xEDB88320 ^ c >>> 1 : c >>> 1;
            }
            TABLE[i] = c;
        }
    }

    static int crc(byte[] data) {
        int c = ~0;
        for (byte b : data) {
            c = TABLE[(c ^ b) & 0xff] ^ c >>> 8;
        }
        return ~c;
    }

    static long fnv(byte[] data) {
        long h = 0xcbf29ce484222325L;
        for (byte b : data) {
            h = (h ^ (b & 0xff)) * 0x100000001b3L;
        }
        return h;
    }

    static int adler(byte[] data) {
        int a = 1;
        int b = 0;
        for (byte x : data) {
            a = (a + (x & 0xff)) % 65521;
            b = (b + a) % 65521;
        }
        return b << 16 | a;
    }

    static long mix(long k) {
        k ^= k >>> 33;
        k *= 0xff51afd7ed558ccdL;
        k ^= k >>> 33;
        k *= 0xc4ceb9fe1a85ec53L;
        return k ^ k >>> 33;
    }

    public static void main(String[] args) {
        for (String s : new String[] {"", "a", "123456789", "The quick brown fox"}) {
            byte[] d = new byte[s.length()];
            for (int i = 0; i < d.length; i++) {
                d[i] = (byte) s.charAt(i);
            }
            int djb = 5381;
            for (byte b : d) {
                djb = (djb << 5) + djb + b;
            }
            System.out.println(Integer.toHexString(crc(d)) + " " + Long.toHexString(fnv(d)) + " " + Integer.toHexString(adler(d)) + " " + djb + " " + mix(fnv(d)));
        }
    }
}
