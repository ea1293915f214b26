import java.util.PriorityQueue;
import java.util.TreeMap;

/** Run lengths, Huffman codes, LZ77 by hand; each round trip. */
public class AlgoCompression {
    static String runs(String s) {
        StringBuilder sb = new StringBuilder();
        for (int i = 0, j; i < s.length(); i = j) {
            for (j = i; j < s.length() && s.charAt(j) == s.charAt(i); j++) { }
            sb.append(j - i).append(s.charAt(i));
        }
        return sb.toString();
    }

    static String unruns(String s) {
        StringBuilder sb = new StringBuilder();
        int n = 0;
        for (char c : s.toCharArray()) {
            if (c >= '0' && c <= '9') {
                n = n * 10 + c - '0';
            } else {
                sb.append(String.valueOf(c).repeat(n));
                n = 0;
            }
        }
        return sb.toString();
    }

    static class Tree implements Comparable<Tree> {
        final int weight;
        final char c;
        final Tree l;
        final Tree r;

        Tree(int weight, char c, Tree l, Tree r) {
            this.weight = weight;
            this.c = c;
            this.l = l;
            this.r = r;
        }

        public int compareTo(Tree o) {
            return weight != o.weight ? weight - o.weight : c - o.c;
        }

        void codes(String so, TreeMap<Character, String> out) {
            if (l == null) {
                out.put(c, so);
            } else {
                l.codes(so + '0', out);
                r.codes(so + '1', out);
            }
        }
    }

    static String lz(String s) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < s.length(); ) {
            int best = 0;
            int where = 0;
            for (int j = 0; j < i; j++) {
                int k = 0;
                while (i + k < s.length() && s.charAt(j + k) == s.charAt(i + k)) {
                    k++;
                }
                if (k > best) {
                    best = k;
                    where = i - j;
                }
            }
            if (best > 3) {
                out.append('<').append(where).append(',').append(best).append('>');
                i += best;
            } else {
                out.append(s.charAt(i++));
            }
        }
        return out.toString();
    }

    public static void main(String[] args) {
        System.out.println(runs("aaabccdddd") + " " + unruns(runs("aaabccdddd" + "z".repeat(12))) + " " + runs(""));
        String text = "she sells sea shells";
        int[] freq = new int[128];
        for (char c : text.toCharArray()) {
            freq[c]++;
        }
        PriorityQueue<Tree> q = new PriorityQueue<>();
        for (char c = 0; c < 128; c++) {
            if (freq[c] > 0) {
                q.add(new Tree(freq[c], c, null, null));
            }
        }
        while (q.size() > 1) {
            Tree a = q.poll();
            Tree b = q.poll();
            q.add(new Tree(a.weight + b.weight, (char) Math.min(a.c, b.c), a, b));
        }
        TreeMap<Character, String> codes = new TreeMap<>();
        q.peek().codes("", codes);
        System.out.println(codes);
        StringBuilder bits = new StringBuilder();
        for (char c : text.toCharArray()) {
            bits.append(codes.get(c));
        }
        System.out.println(bits + " " + bits.length());
        System.out.println(lz("blah blah blah blah!") + " " + lz("abcabcabcabcd"));
    }
}
