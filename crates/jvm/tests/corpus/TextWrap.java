import java.util.ArrayList;
import java.util.List;

/** Wrapping, padding, centring and tables by hand. */
public class TextWrap {
    static List<String> wrap(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ")) {
            while (word.length() > width) {
                if (line.length() > 0) {
                    lines.add(line.toString());
                    line.setLength(0);
                }
                lines.add(word.substring(0, width));
                word = word.substring(width);
            }
            if (line.length() + word.length() + (line.length() > 0 ? 1 : 0) > width) {
                lines.add(line.toString());
                line = new StringBuilder();
            }
            if (line.length() > 0) {
                line.append(' ');
            }
            line.append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    static String pad(String s, int width, char with, boolean left) {
        StringBuilder sb = new StringBuilder(s);
        while (sb.length() < width) {
            sb.insert(left ? 0 : sb.length(), with);
        }
        return sb.toString();
    }

    static String centre(String s, int width) {
        int left = (width - s.length()) / 2;
        return " ".repeat(Math.max(0, left)) + s + " ".repeat(Math.max(0, width - s.length() - left));
    }

    static String title(String s) {
        boolean start = true;
        char[] cs = s.toCharArray();
        for (int i = 0; i < cs.length; i++) {
            cs[i] = start ? Character.toUpperCase(cs[i]) : Character.toLowerCase(cs[i]);
            start = cs[i] == ' ';
        }
        return new String(cs);
    }

    public static void main(String[] args) {
        for (String l : wrap("the quick brown fox jumps over an incomprehensibly lazy dog", 12)) {
            System.out.println("|" + pad(l, 12, '.', false) + "|" + centre(l, 14) + "|");
        }
        for (int i = 1; i <= 1000; i *= 10) {
            System.out.println(pad("" + i, 6, ' ', true) + pad("" + i * i, 9, '0', true));
        }
        System.out.println(title("hELLO wide wORLD") + " " + centre("toolong", 3));
    }
}
