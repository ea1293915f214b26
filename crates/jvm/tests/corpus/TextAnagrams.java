import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Grouping anagrams, counting letters, most frequent words. */
public class TextAnagrams {
    static String key(String w) {
        char[] cs = w.toCharArray();
        Arrays.sort(cs);
        return new String(cs);
    }

    public static void main(String[] args) {
        Map<String, Set<String>> groups = new TreeMap<>();
        for (String w : new String[] {"listen", "silent", "enlist", "google", "gogole", "cat", "act", "tac", "dog"}) {
            groups.computeIfAbsent(key(w), k -> new TreeSet<>()).add(w);
        }
        groups.forEach((k, v) -> System.out.println(k + " " + v));
        int[] letters = new int[26];
        String text = "It was the best of times, it was the worst of times";
        for (char c : text.toLowerCase().toCharArray()) {
            if (c >= 'a' && c <= 'z') {
                letters[c - 'a']++;
            }
        }
        StringBuilder sb = new StringBuilder();
        for (int i = 0; i < 26; i++) {
            if (letters[i] > 0) {
                sb.append((char) ('a' + i)).append(letters[i]);
            }
        }
        System.out.println(sb);
        Map<String, Integer> words = new TreeMap<>();
        for (String w : text.toLowerCase().replace(",", "").split(" ")) {
            words.put(w, words.getOrDefault(w, 0) + 1);
        }
        String best = null;
        for (Map.Entry<String, Integer> e : words.entrySet()) {
            if (best == null || e.getValue() > words.get(best)) {
                best = e.getKey();
            }
        }
        System.out.println(best + " " + words);
    }
}
