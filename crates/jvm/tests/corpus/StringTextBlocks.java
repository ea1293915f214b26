/** Text blocks: indentation, escapes, line joins. */
public class StringTextBlocks {
    public static void main(String[] args) {
        String block = """
            <html>
              <p>"quoted" \"""triple\"""</p>
            </html>
            """;
        System.out.print(block);
        String joined = """
            one \
            two
            trailing\s\s
            tab\there""";
        System.out.println(joined);
        System.out.println(joined.length() + " " + block.lines().count());
        String empty = """
            """;
        System.out.println("[" + empty + "]");
        String name = "x";
        System.out.println("""
            Dear %s,
              bye""".replace("%s", name));
        System.out.println("""
            a
            b""" == "a\nb");
        System.out.println("  indent\n me".indent(2).length() + " " + " a\n b".stripIndent());
    }
}
