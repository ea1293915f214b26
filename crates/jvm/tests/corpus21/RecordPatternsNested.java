/** Record patterns in instanceof, nested, with generics and with accessors that throw. */
public class RecordPatternsNested {
    record Pair<A, B>(A first, B second) { }

    record Loud(int n) {
        public int n() {
            if (n < 0) {
                throw new IllegalStateException("loud");
            }
            return n;
        }
    }

    static String look(Object o) {
        if (o instanceof Pair<?, ?>(String s, Integer i) && i > s.length()) {
            return s + i;
        }
        if (o instanceof Pair<?, ?>(Pair<?, ?>(var a, var b), Object c)) {
            return a + "," + b + "," + c;
        }
        if (!(o instanceof Pair<?, ?>(var x, var y))) {
            return "no pair";
        }
        return "pair " + x + y;
    }

    public static void main(String[] args) {
        System.out.println(look(new Pair<>("ab", 5)));
        System.out.println(look(new Pair<>("abc", 1)));
        System.out.println(look(new Pair<>(new Pair<>(1, 2), 3)));
        System.out.println(look(new Pair<>(null, null)));
        System.out.println(look("x"));
        try {
            Object o = new Loud(-1);
            if (o instanceof Loud(int n)) {
                System.out.println(n);
            }
        } catch (MatchException e) {
            System.out.println(e.getCause().getMessage());
        }
        Object ok = new Loud(4);
        System.out.println(ok instanceof Loud(int n) ? n + 1 : -1);
    }
}
