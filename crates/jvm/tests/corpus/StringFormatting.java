/** String.format and printf: the common conversions. */
public class StringFormatting {
    public static void main(String[] args) {
        System.out.println(String.format("%d|%5d|%-5d|%05d|%+d|%,d", 42, 42, 42, 42, 42, 1234567));
        System.out.println(String.format("%s|%10s|%-10s|%.2s|%S", "text", "text", "text", "text", "text"));
        System.out.println(String.format("%x|%X|%o|%08x", 255, 255, 8, 48879));
        System.out.println(String.format("%c|%b|%%|%n", 'c', true).trim());
        System.out.println(String.format("%.2f|%8.3f|%e", 3.14159, 2.71828, 12345.678));
        System.out.println(String.format("%2$s %1$s", "world", "hello"));
        System.out.printf("%d items at %s%n", 3, "home");
    }
}
