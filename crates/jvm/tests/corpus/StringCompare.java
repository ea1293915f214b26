/** equals, compareTo, hash codes, interning, case. */
public class StringCompare {
    public static void main(String[] args) {
        String a = "same";
        String b = "sa" + "me";
        String c = new String("same");
        String d = new StringBuilder("sa").append("me").toString();
        System.out.println((a == b) + " " + (a == c) + " " + a.equals(c) + " " + (a == c.intern()) + " " + (d.intern() == a) + " " + (c == d));
        String[] words = {"", "a", "A", "aa", "ab", "b", "aaa", "\u00e9", "\u4e2d"};
        for (String x : words) {
            for (String y : words) {
                System.out.print(x.compareTo(y) + " ");
            }
            System.out.println(x.hashCode());
        }
        System.out.println("Hello".equalsIgnoreCase("hELLO") + " " + "a".compareToIgnoreCase("B") + " " + "x".equalsIgnoreCase(null));
        System.out.println("MiXed".toUpperCase() + "MiXed".toLowerCase());
        System.out.println("abc".contentEquals(new StringBuilder("abc")));
        System.out.println("regionMatches".regionMatches(6, "xxMatch", 2, 5) + " " + "AB".regionMatches(true, 0, "ab", 0, 2));
        System.out.println("a longer string with several words to hash".hashCode());
    }
}
