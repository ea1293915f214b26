/** Short circuits, nested conditionals, comparisons with null and of references. */
public class ConditionalChains {
    static int asked;

    static boolean ask(boolean answer) {
        asked++;
        return answer;
    }

    static String grade(int points) {
        return points >= 90 ? "A" : points >= 80 ? "B" : points >= 70 ? "C" : "F";
    }

    public static void main(String[] args) {
        boolean r = ask(true) && (ask(false) || ask(true)) && !ask(false) || ask(true);
        System.out.println(r + " after " + asked);
        asked = 0;
        if (ask(false) && ask(true) || !(ask(true) && ask(true))) {
            System.out.println("no");
        } else {
            System.out.println("yes after " + asked);
        }
        for (int p = 65; p < 100; p += 8) {
            System.out.print(grade(p));
        }
        System.out.println();
        Object a = new Object();
        Object b = a;
        Object none = null;
        System.out.println((a == b) + " " + (a != none) + " " + (none == null) + " " + (none != null));
        String s = none == null ? "null" : "object";
        System.out.println(s);
        boolean[] flags = {true, false};
        int x = flags[0] ? flags[1] ? 1 : 2 : 3;
        System.out.println(x);
        while (ask(asked < 7)) {
            if (asked % 2 == 0) {
                continue;
            }
        }
        System.out.println(asked);
        long l = 5;
        System.out.println((l > 4 ? 1 : 0) + (l < 4 ? 1 : 0) + (l == 5 ? 10 : 0) + (l != 5 ? 10 : 0) + (l >= 5 ? 100 : 0) + (l <= 4 ? 100 : 0));
    }
}
