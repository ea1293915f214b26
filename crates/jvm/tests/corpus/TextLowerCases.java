import java.util.Locale;

/**
 * Lower cases of texts with a Greek sigma, whose lower case depends on the word that it is in: every neighbour that
 * behaves in a way of its own, and every character once.
 */
public class TextLowerCases {
    private static final String[] PARTS = {
        "\u03a3", "\u03a3", "\u03a3", "\u0130", "a", "B", "1", "\u0663", " ", "\t", "\n", "\r", "-", "_", "'", "\"", ".", ",", "#", "$",
        "%", "&", "\u00a2", "\u00ad", "\u2027", "\u0301", "\u0345", "\u200d", "\u20ac", "\u2028", "\u4e00", "\u3042", "\u30a2", "\u3099",
        "\u30fb", "\u0e01", "\u0e31", "\u0964", "\u0905", "\u24b6", "\u2170", "\uac00", "\uffff", "\ud800", "\udc00", "\ud801\udc00",
        "\ud835\udc00", "\ud83d\ude00", "\udb40\udc01", "\u0000", "\u01c5",
    };

    private static int next = 17;

    private static int random(int bound) {
        next = next * 1103515245 + 12345;
        return (next >>> 16) % bound;
    }

    private static String shown(String text) {
        StringBuilder shown = new StringBuilder();
        for (char unit : text.toCharArray()) shown.append(Integer.toHexString(unit)).append(' ');
        return shown.toString();
    }

    public static void main(String[] args) {
        for (String one : PARTS) {
            for (String text : new String[] {one + "\u03a3", "\u03a3" + one, "a\u03a3" + one, "a" + one + "\u03a3"}) {
                System.out.println(shown(text) + "-> " + shown(text.toLowerCase(Locale.ENGLISH)));
            }
        }
        int sum = 0;
        for (int round = 0; round < 4000; round++) {
            StringBuilder text = new StringBuilder();
            int length = 2 + random(5);
            for (int i = 0; i < length; i++) text.append(PARTS[random(PARTS.length)]);
            String lower = text.toString().toLowerCase(Locale.ROOT);
            sum = sum * 31 + lower.hashCode();
            if (round % 40 == 0) System.out.println(shown(text.toString()) + "-> " + shown(lower) + sum);
        }
        int before = 0;
        int after = 0;
        for (int unit = 0; unit < 0x10000; unit += 3) {
            before = before * 31 + ((char) unit + "\u03a3").toLowerCase(Locale.ROOT).hashCode();
            after = after * 31 + ("a\u03a3" + (char) unit).toLowerCase(Locale.ROOT).hashCode();
        }
        System.out.println(sum + " " + before + " " + after);
    }
}
