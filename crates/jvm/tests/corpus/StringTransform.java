/** replace, trim, strip, repeat, split on one character, join. */
public class StringTransform {
    static void show(String[] parts) {
        System.out.print(parts.length + ":");
        for (String p : parts) {
            System.out.print("[" + p + "]");
        }
        System.out.println();
    }

    public static void main(String[] args) {
        System.out.println("banana".replace('a', 'o') + " " + "banana".replace("an", "-") + " " + "aaa".replace("aa", "b") + " " + "ab".replace("", "."));
        System.out.println("[" + "  x y \t\n".trim() + "][" + " \u2003z ".strip() + "][" + " l ".stripLeading() + "][" + " t ".stripTrailing() + "]");
        System.out.println("ab".repeat(3) + "x".repeat(0) + "-".repeat(1));
        show("a,b,,c,,".split(","));
        show(",a".split(","));
        show("".split(","));
        show("a,b,c".split(",", 2));
        show("a,b,,".split(",", -1));
        show("one two".split(" "));
        show("a.b.c".split("\\."));
        System.out.println(String.join("/", "a", "b", "c") + String.join("", java.util.List.of("x", "y")));
        System.out.println("line1\nline2\r\nline3".lines().count());
        System.out.println("reverse " + new StringBuilder("reverse").reverse());
        System.out.println("chars".chars().sum() + " " + "abc".codePointAt(1));
        System.out.println("tab\tq\"b\\".length());
    }
}
