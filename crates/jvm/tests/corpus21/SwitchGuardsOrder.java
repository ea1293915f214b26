/** Guards run in order and only when needed; fall back to later cases. */
public class SwitchGuardsOrder {
    static StringBuilder log = new StringBuilder();

    static boolean test(String name, boolean result) {
        log.append(name);
        return result;
    }

    static int pick(Object o, int k) {
        return switch (o) {
            case String s when test("a", k == 1) && s.length() > 1 -> 1;
            case String s when test("b", k == 2) -> 2;
            case Integer i when test("c", i == k) -> 3;
            case String s when test("d", s.startsWith("z")) -> 4;
            case Number n when test("e", n.intValue() > 100) -> 5;
            default -> 0;
        };
    }

    public static void main(String[] args) {
        Object[] os = {"xy", "z", 7, 500, 2.5};
        for (Object o : os) {
            for (int k = 1; k < 3; k++) {
                log.setLength(0);
                System.out.print(pick(o, k) + ":" + log + " ");
            }
        }
        System.out.println(pick(7, 7));
    }
}
