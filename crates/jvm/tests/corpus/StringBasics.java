/** length, charAt, substring, indexOf and friends, with their failures. */
public class StringBasics {
    static void go(Runnable r) {
        try {
            r.run();
        } catch (StringIndexOutOfBoundsException e) {
            System.out.println("out of bounds");
        }
    }

    public static void main(String[] args) {
        String s = "hello, world";
        System.out.println(s.length() + " " + s.charAt(4) + " " + s.substring(7) + " " + s.substring(3, 5) + "[" + s.substring(12) + "]");
        System.out.println(s.indexOf('o') + " " + s.indexOf('o', 5) + " " + s.lastIndexOf('o') + " " + s.indexOf('z') + " "
            + s.indexOf("wor") + " " + s.indexOf("lo", 4) + " " + s.lastIndexOf("l") + " " + s.indexOf("") + " " + s.lastIndexOf('l', 4));
        System.out.println(s.startsWith("hell") + " " + s.startsWith("lo", 3) + " " + s.endsWith("ld") + " " + s.contains(", ") + " " + s.endsWith(""));
        System.out.println(s.isEmpty() + " " + "".isEmpty() + " " + "  ".isBlank());
        go(() -> s.charAt(12));
        go(() -> s.charAt(-1));
        go(() -> s.substring(5, 4));
        go(() -> s.substring(13));
        System.out.println(s.substring(0) == s);
        System.out.println("abc".concat("").equals("abc") + " " + "abc".concat("def"));
        System.out.println(s.subSequence(1, 4));
        char[] cs = s.toCharArray();
        cs[0] = 'j';
        System.out.println(new String(cs) + " " + s);
        System.out.println(new String(cs, 2, 3) + String.copyValueOf(cs, 7, 2) + new String());
        System.out.println(String.valueOf(true) + String.valueOf('c') + String.valueOf(1.5f));
    }
}
