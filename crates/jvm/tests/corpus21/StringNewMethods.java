/** String and StringBuilder methods that came after 17. */
public class StringNewMethods {
    public static void main(String[] args) {
        System.out.println("a,b,,c".splitWithDelimiters(",", 0).length + " " + "hello".indexOf('l', 0, 3) + " " + "hello".indexOf("l", 3, 4));
        StringBuilder sb = new StringBuilder("x");
        sb.repeat("ab", 3).repeat('c', 2);
        System.out.println(sb + " " + Character.toString(97) + " " + "tabs\\tx".translateEscapes().length());
        System.out.println(Math.clamp(15L, 0, 10) + " " + Math.clamp(-2.5, -1.0, 1.0) + " " + Math.ceilDiv(7, 2) + " " + Math.ceilMod(7, 2));
        System.out.println(Integer.compress(0b101101, 0b111000) + " " + Integer.expand(5, 0b111000) + " " + Long.compress(255L, 0xf0L));
        System.out.println("abc".equals(new StringBuilder("abc").toString()) + " " + Character.isEmoji(0x1f600));
    }
}
