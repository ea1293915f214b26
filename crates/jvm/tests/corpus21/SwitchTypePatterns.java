/** switch over types, with guards, null and a default. */
public class SwitchTypePatterns {
    static String kind(Object o) {
        return switch (o) {
            case null -> "null";
            case Integer i when i < 0 -> "negative " + i;
            case Integer i -> "int " + i;
            case Long l -> "long " + l;
            case String s when s.isEmpty() -> "empty string";
            case String s -> "string of " + s.length();
            case int[] a -> "ints " + a.length;
            case Character c -> "char " + (int) c;
            case Object[] a when a.length > 2 -> "many objects";
            case Object[] a -> "objects " + a.length;
            case CharSequence cs -> "text " + cs;
            default -> "other " + o.getClass().getSimpleName();
        };
    }

    public static void main(String[] args) {
        Object[] all = {null, -5, 7, 8L, "", "four", new int[3], 'c', new String[1], new Object[3], new StringBuilder("sb"), 2.5};
        for (Object o : all) {
            System.out.println(kind(o));
        }
    }
}
