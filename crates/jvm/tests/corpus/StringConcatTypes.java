/** String concatenation of every type, constants folded and not, with the recipe's special characters. */
public class StringConcatTypes {
    static int calls;

    static String next() {
        return "#" + ++calls;
    }

    public static void main(String[] args) {
        boolean z = false;
        byte b = -1;
        char c = '\u00df';
        short s = -300;
        int i = Integer.MIN_VALUE;
        long l = Long.MIN_VALUE;
        float f = 0.1f;
        double d = 1e10;
        String t = null;
        Object o = null;
        char[] cs = {'o', 'k'};
        StringBuilder sb = new StringBuilder("sb");
        System.out.println("" + z + b + s + i + l + f + d + t + o + sb);
        System.out.println((int) ("" + c).charAt(0));
        System.out.println(1 + 2 + "3" + 4 + 5);
        System.out.println('a' + 1 + "b" + 'c' + 1 + (char) ('c' + 1));
        System.out.println(next() + next() + next() + calls);
        String acc = "";
        for (int k = 0; k < 5; k++) {
            acc = k + acc + k;
        }
        System.out.println(acc);
        System.out.println("tag\u0001in" + i + "\u0002and" + z);
        String long1 = i + "," + l + "," + i + "," + l + "," + i + "," + l + "," + z + "," + b + "," + s + "," + f + "," + d
            + "," + i + "," + i + "," + i + "," + i + "," + i + "," + i + "," + t;
        System.out.println(long1.length() + long1);
        t += null;
        t += 'x';
        System.out.println(t + new String(cs) + String.valueOf(cs));
        final String k1 = "con";
        System.out.println((k1 + "stant") == "constant");
        String k2 = "con";
        System.out.println((k2 + "stant") == "constant");
    }
}
