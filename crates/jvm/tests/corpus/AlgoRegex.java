/** A small regular expression matcher: literals, dot, star, plus, question mark, classes, anchors. */
public class AlgoRegex {
    static boolean here(String p, int i, String t, int j) {
        if (i == p.length()) {
            return true;
        }
        if (p.charAt(i) == '$' && i + 1 == p.length()) {
            return j == t.length();
        }
        int end = p.charAt(i) == '[' ? p.indexOf(']', i) + 1 : i + 1;
        char q = end < p.length() ? p.charAt(end) : 0;
        if (q == '*' || q == '+' || q == '?') {
            int most = q == '?' ? 1 : Integer.MAX_VALUE;
            int k = 0;
            while (k < most && j + k < t.length() && one(p, i, end, t.charAt(j + k))) {
                k++;
            }
            for (; k >= (q == '+' ? 1 : 0); k--) {
                if (here(p, end + 1, t, j + k)) {
                    return true;
                }
            }
            return false;
        }
        return j < t.length() && one(p, i, end, t.charAt(j)) && here(p, end, t, j + 1);
    }

    static boolean one(String p, int i, int end, char c) {
        char x = p.charAt(i);
        if (x != '[') {
            return x == '.' || x == c;
        }
        boolean not = p.charAt(i + 1) == '^';
        boolean in = false;
        for (int k = i + (not ? 2 : 1); k < end - 1; k++) {
            if (k + 2 < end - 1 && p.charAt(k + 1) == '-') {
                in |= p.charAt(k) <= c && c <= p.charAt(k + 2);
                k += 2;
            } else {
                in |= p.charAt(k) == c;
            }
        }
        return in != not;
    }

    static boolean find(String p, String t) {
        if (p.startsWith("^")) {
            return here(p, 1, t, 0);
        }
        for (int j = 0; j <= t.length(); j++) {
            if (here(p, 0, t, j)) {
                return true;
            }
        }
        return false;
    }

    public static void main(String[] args) {
        String[][] cases = {{"abc", "xabcx"}, {"^abc", "xabc"}, {"a.c$", "abc"}, {"ab*c", "ac"}, {"ab+c", "ac"}, {"colou?r", "color"}, {"^[a-c]+$", "abcab"},
            {"^[a-c]+$", "abd"}, {"[^0-9]", "123"}, {"^.*x.*y$", "axbxcy"}, {"", ""}, {"^$", "a"}};
        for (String[] c : cases) {
            System.out.println(c[0] + " in " + c[1] + ": " + find(c[0], c[1]));
        }
        System.out.println("a1b22c".replaceAll("[0-9]+", "#") + " " + "x-y_z".split("[-_]").length + " " + "2024-01-02".matches("\\d{4}-\\d\\d-\\d\\d"));
    }
}
