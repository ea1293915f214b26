/** Strings beyond Latin-1: surrogates, code points, mixed coders. */
public class StringUnicode {
    static void hex(String s) {
        for (int i = 0; i < s.length(); i++) {
            System.out.print(Integer.toHexString(s.charAt(i)) + " ");
        }
        System.out.println();
    }

    public static void main(String[] args) {
        String s = "a\u00e9\u4e2d\ud83d\ude00z";
        System.out.println(s.length() + " " + s.codePointCount(0, s.length()));
        hex(s);
        hex(s.substring(1, 3));
        hex(new StringBuilder(s).reverse().toString());
        System.out.println(s.codePointAt(3) + " " + s.codePointAt(4) + " " + s.indexOf(0x1f600) + " " + s.indexOf('z'));
        System.out.println(Character.charCount(0x1f600) + " " + Character.isSurrogate(s.charAt(3)) + " " + Character.toCodePoint('\ud83d', '\ude00'));
        hex(new String(Character.toChars(0x1f601)));
        hex("latin".replace('a', '\u4e2d'));
        hex("x\u4e2dy".replace("\u4e2d", ""));
        hex("\u00e9".toUpperCase());
        hex("\u00df".toUpperCase());
        System.out.println("\u4e2d".equals("\u4e2d") + " " + "\u4e2da".substring(1).equals("a") + " " + s.hashCode());
        StringBuilder sb = new StringBuilder("ab");
        sb.append('\u4e2d').append("c").insert(0, '\u20ac').setCharAt(2, '\u00ff');
        hex(sb.toString());
        sb.appendCodePoint(0x1f602).deleteCharAt(0);
        hex(sb.toString());
        System.out.println(s.compareTo("a\u00e9\u4e2d\ud83d\ude01z") + " " + s.contains("\u4e2d\ud83d"));
    }
}
