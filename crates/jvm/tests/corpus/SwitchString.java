/** switch on strings, with labels whose hash codes collide. */
public class SwitchString {
    static int code(String s) {
        switch (s) {
            case "Aa":
                return 1;
            case "BB":
                return 2;
            case "":
                return 3;
            case "AaBB":
            case "BBAa":
                return 4;
            case "\u00fcber":
                return 5;
            default:
                return -1;
        }
    }

    public static void main(String[] args) {
        System.out.println("Aa".hashCode() == "BB".hashCode());
        for (String s : new String[] {"Aa", "BB", "", "AaBB", "BBAa", "AaAa", "C#", "\u00fcber"}) {
            System.out.println(s.length() + " " + code(s));
        }
        System.out.println(code(new String("Aa")) + code("A".concat("a")));
        try {
            code(null);
        } catch (NullPointerException e) {
            System.out.println("null has no hash code");
        }
    }
}
