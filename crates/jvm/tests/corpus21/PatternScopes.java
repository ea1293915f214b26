/** Scope of bindings in loops, negations, conditionals and switches with blocks. */
public class PatternScopes {
    sealed interface Tree<T> { }

    record Leaf<T>(T v) implements Tree<T> { }

    record Node<T>(Tree<T> l, Tree<T> r) implements Tree<T> { }

    static <T> int depth(Tree<T> t) {
        return switch (t) {
            case Leaf<T> l -> 1;
            case Node<T>(Leaf<T> l, Leaf<T> r) -> 2;
            case Node<T>(var l, var r) -> 1 + Math.max(depth(l), depth(r));
        };
    }

    static <T> T leftmost(Tree<T> t) {
        while (t instanceof Node<T>(var l, var r)) {
            t = l;
        }
        return t instanceof Leaf<T>(T v) ? v : null;
    }

    static String both(Object a, Object b) {
        if (a instanceof Integer i && b instanceof Integer j) {
            return "" + (i + j);
        } else if (!(a instanceof String s)) {
            return "left is no string";
        } else if (b instanceof Character c && !s.isEmpty() && s.charAt(0) == c) {
            return s + c;
        } else {
            s += "!";
            return s;
        }
    }

    public static void main(String[] args) {
        Tree<String> t = new Node<>(new Node<>(new Leaf<>("a"), new Leaf<>("b")), new Node<>(new Leaf<>("c"), new Node<>(new Leaf<>("d"), new Leaf<>("e"))));
        System.out.println(depth(t) + leftmost(t));
        System.out.println(both(1, 2) + " " + both(1, "x") + " " + both("abc", 'a') + " " + both("abc", 'b') + " " + both("", 'b'));
        int sum = 0;
        for (Object o : new Object[] {1, "2", 3L, 4, null}) {
            switch (o) {
                case Integer i when i > 2:
                    sum += 100;
                    break;
                case Integer i:
                    sum += 1;
                    break;
                case null:
                    sum += 1000;
                    break;
                case String s: {
                    sum += s.length() * 10;
                    break;
                }
                default:
                    sum += 7;
            }
        }
        System.out.println(sum);
    }
}
