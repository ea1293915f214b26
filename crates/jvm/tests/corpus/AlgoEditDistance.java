/** Dynamic programming: edit distance, longest common subsequence, knapsack, coin change. */
public class AlgoEditDistance {
    static int edit(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                } else {
                    int sub = d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                    d[i][j] = Math.min(sub, Math.min(d[i - 1][j], d[i][j - 1]) + 1);
                }
            }
        }
        return d[a.length()][b.length()];
    }

    static String lcs(String a, String b) {
        String[][] t = new String[a.length() + 1][b.length() + 1];
        for (int i = a.length(); i >= 0; i--) {
            for (int j = b.length(); j >= 0; j--) {
                if (i == a.length() || j == b.length()) {
                    t[i][j] = "";
                } else if (a.charAt(i) == b.charAt(j)) {
                    t[i][j] = a.charAt(i) + t[i + 1][j + 1];
                } else {
                    t[i][j] = t[i + 1][j].length() >= t[i][j + 1].length() ? t[i + 1][j] : t[i][j + 1];
                }
            }
        }
        return t[0][0];
    }

    static int knapsack(int[] weight, int[] value, int room) {
        int[] best = new int[room + 1];
        for (int i = 0; i < weight.length; i++) {
            for (int r = room; r >= weight[i]; r--) {
                best[r] = Math.max(best[r], best[r - weight[i]] + value[i]);
            }
        }
        return best[room];
    }

    static long ways(int amount, int... coins) {
        long[] w = new long[amount + 1];
        w[0] = 1;
        for (int c : coins) {
            for (int a = c; a <= amount; a++) {
                w[a] += w[a - c];
            }
        }
        return w[amount];
    }

    public static void main(String[] args) {
        System.out.println(edit("kitten", "sitting") + " " + edit("", "abc") + " " + edit("same", "same"));
        System.out.println(lcs("AGGTAB", "GXTXAYB") + " " + lcs("abcdef", "acf"));
        System.out.println(knapsack(new int[] {1, 3, 4, 5}, new int[] {1, 4, 5, 7}, 7));
        System.out.println(ways(100, 1, 5, 10, 25, 50));
    }
}
