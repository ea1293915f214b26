/** A trie over lower case words: insertion, prefix counts, listing. */
public class DataTrie {
    private final DataTrie[] next = new DataTrie[26];
    private boolean word;
    private int below;

    void add(String s) {
        DataTrie at = this;
        for (int i = 0; i < s.length(); i++) {
            at.below++;
            int c = s.charAt(i) - 'a';
            if (at.next[c] == null) {
                at.next[c] = new DataTrie();
            }
            at = at.next[c];
        }
        at.below++;
        at.word = true;
    }

    int count(String prefix) {
        DataTrie at = this;
        for (char c : prefix.toCharArray()) {
            at = at.next[c - 'a'];
            if (at == null) {
                return 0;
            }
        }
        return at.below;
    }

    void list(String so, StringBuilder out) {
        if (word) {
            out.append(so).append(' ');
        }
        for (char c = 'a'; c <= 'z'; c++) {
            if (next[c - 'a'] != null) {
                next[c - 'a'].list(so + c, out);
            }
        }
    }

    public static void main(String[] args) {
        DataTrie t = new DataTrie();
        for (String w : "tree trie try tea ten inn in i to a".split(" ")) {
            t.add(w);
        }
        System.out.println(t.count("t") + " " + t.count("tr") + " " + t.count("in") + " " + t.count("x") + " " + t.count(""));
        StringBuilder sb = new StringBuilder();
        t.list("", sb);
        System.out.println(sb);
        try {
            t.add("Bad");
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
