import java.util.HashMap;
import java.util.Map;

/** Memoized and mutual recursion: Hofstadter sequences, Catalan numbers, partitions, Collatz. */
public class RecursionMutual {
    static Map<Integer, Long> memo = new HashMap<>();

    static int female(int n) {
        return n == 0 ? 1 : n - male(female(n - 1));
    }

    static int male(int n) {
        return n == 0 ? 0 : n - female(male(n - 1));
    }

    static long catalan(int n) {
        if (n <= 1) {
            return 1;
        }
        Long known = memo.get(n);
        if (known != null) {
            return known;
        }
        long sum = 0;
        for (int i = 0; i < n; i++) {
            sum += catalan(i) * catalan(n - 1 - i);
        }
        memo.put(n, sum);
        return sum;
    }

    static int partitions(int n, int most) {
        return n == 0 ? 1 : n < 0 || most == 0 ? 0 : partitions(n - most, most) + partitions(n, most - 1);
    }

    static int depth(long n) {
        return n == 1 ? 0 : 1 + depth((n & 1) == 0 ? n >> 1 : 3 * n + 1);
    }

    static String spell(int n) {
        return n < 10 ? "" + n : spell(n / 10) + "-" + n % 10;
    }

    static boolean palindrome(String s) {
        return s.length() < 2 || s.charAt(0) == s.charAt(s.length() - 1) && palindrome(s.substring(1, s.length() - 1));
    }

    public static void main(String[] args) {
        for (int i = 0; i < 10; i++) {
            System.out.print(female(i) + "" + male(i) + " ");
        }
        System.out.println(catalan(20) + " " + partitions(15, 15) + " " + depth(97) + " " + spell(90210));
        System.out.println(palindrome("racecar") + " " + palindrome("ab") + " " + palindrome(""));
    }
}
