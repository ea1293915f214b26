/** Enum constants of several enums as qualified labels of one switch over an interface. */
public class SwitchEnumQualified {
    sealed interface Code permits Ok, Bad { }

    enum Ok implements Code { FINE, FAST }

    enum Bad implements Code { SLOW, LOST }

    static int weight(Code c) {
        return switch (c) {
            case Ok.FINE -> 1;
            case Ok.FAST -> 2;
            case Bad.SLOW -> 10;
            case Bad.LOST -> 20;
        };
    }

    static String old(Ok o) {
        switch (o) {
            case FINE:
                return "fine";
            case null:
                return "none";
            default:
                return "rest";
        }
    }

    static String text(String s) {
        return switch (s) {
            case "a", "b" -> "early";
            case String t when t.length() > 3 -> "long";
            case null, default -> "late";
        };
    }

    public static void main(String[] args) {
        int sum = 0;
        for (Ok o : Ok.values()) {
            sum += weight(o);
        }
        for (Bad b : Bad.values()) {
            sum += weight(b);
        }
        System.out.println(sum + old(Ok.FINE) + old(Ok.FAST) + old(null) + text("a") + text("long one") + text(null) + text("zz"));
    }
}
