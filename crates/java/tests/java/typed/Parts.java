package typed;

/** Arrays that are as long as what is copied into them. */
public class Parts {
    public static byte[] first(byte[] all, int count) {
        byte[] part = new byte[count];
        System.arraycopy(all, 0, part, 0, count);
        return part;
    }

    public static String[] behind(String[] all, int from) {
        String[] part = new String[all.length - from];
        System.arraycopy(all, from, part, 0, part.length);
        return part;
    }
}
