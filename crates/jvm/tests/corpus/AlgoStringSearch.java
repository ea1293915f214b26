/** Searching text by hand: naive, Knuth-Morris-Pratt, Boyer-Moore-Horspool, Rabin-Karp, all against indexOf. */
public class AlgoStringSearch {
    static int kmp(String t, String p) {
        int[] fail = new int[p.length() + 1];
        for (int i = 1, k = 0; i < p.length(); i++) {
            while (k > 0 && p.charAt(i) != p.charAt(k)) {
                k = fail[k];
            }
            if (p.charAt(i) == p.charAt(k)) {
                k++;
            }
            fail[i + 1] = k;
        }
        for (int i = 0, k = 0; i < t.length(); i++) {
            while (k > 0 && t.charAt(i) != p.charAt(k)) {
                k = fail[k];
            }
            if (k < p.length() && t.charAt(i) == p.charAt(k)) {
                k++;
            }
            if (k == p.length()) {
                return i - k + 1;
            }
        }
        return -1;
    }

    static int horspool(String t, String p) {
        int[] skip = new int[128];
        java.util.Arrays.fill(skip, p.length());
        for (int i = 0; i < p.length() - 1; i++) {
            skip[p.charAt(i)] = p.length() - 1 - i;
        }
        for (int at = 0; at <= t.length() - p.length(); at += skip[t.charAt(at + p.length() - 1)]) {
            int k = p.length() - 1;
            while (k >= 0 && t.charAt(at + k) == p.charAt(k)) {
                k--;
            }
            if (k < 0) {
                return at;
            }
        }
        return -1;
    }

    static int rabin(String t, String p) {
        int m = p.length();
        int hp = 0;
        int ht = 0;
        int top = 1;
        for (int i = 0; i < m; i++) {
            hp = hp * 31 + p.charAt(i);
            ht = ht * 31 + (i < t.length() ? t.charAt(i) : 0);
            if (i > 0) {
                top *= 31;
            }
        }
        for (int at = 0; at + m <= t.length(); at++) {
            if (hp == ht && t.startsWith(p, at)) {
                return at;
            }
            if (at + m < t.length()) {
                ht = (ht - t.charAt(at) * top) * 31 + t.charAt(at + m);
            }
        }
        return -1;
    }

    public static void main(String[] args) {
        String text = "abracadabra abracadabbra aabaabaaab the end";
        for (String p : new String[] {"abra", "cad", "abb", "aabaaab", "end", "zebra", "a", "the end", "bra a"}) {
            System.out.println(p + " " + text.indexOf(p) + " " + kmp(text, p) + " " + horspool(text, p) + " " + rabin(text, p));
        }
    }
}
