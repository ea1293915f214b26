/** Own CharSequence implementations in joins, builders, comparisons. */
public class StringCharSequence {
    static class Repeat implements CharSequence {
        final char c;
        final int n;

        Repeat(char c, int n) {
            this.c = c;
            this.n = n;
        }

        public int length() {
            return n;
        }

        public char charAt(int i) {
            if (i < 0 || i >= n) {
                throw new IndexOutOfBoundsException();
            }
            return c;
        }

        public CharSequence subSequence(int from, int to) {
            return new Repeat(c, to - from);
        }

        @Override
        public String toString() {
            return String.valueOf(c).repeat(n);
        }
    }

    public static void main(String[] args) {
        CharSequence r = new Repeat('x', 4);
        System.out.println(new StringBuilder().append(r).append('-').append(r, 1, 3).append(r.subSequence(0, 1)));
        System.out.println("xxxx".contentEquals(r) + " " + "axxxxb".contains(r) + " " + "axxb".replace(new Repeat('x', 2), "--") + " " + String.join(r, "a", "b"));
        System.out.println(CharSequence.compare("abc", "abd") + " " + r.chars().sum() + " " + r.isEmpty() + " " + "x".equals(new Repeat('x', 1)));
        CharSequence[] all = {"s", new StringBuilder("sb"), new StringBuffer("sbuf"), r};
        int n = 0;
        for (CharSequence c : all) {
            n = n * 10 + c.length();
        }
        System.out.println(n);
        StringBuilder sb = new StringBuilder("abc");
        CharSequence live = sb;
        sb.append("d");
        System.out.println(live.length() + " " + live.charAt(3));
    }
}
