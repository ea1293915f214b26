/** append, insert, delete, replace, reverse, setLength, capacity growth. */
public class StringBuilderOps {
    public static void main(String[] args) {
        StringBuilder sb = new StringBuilder();
        sb.append(1).append('c').append("s").append(true).append(2L).append((Object) null).append((String) null).append(new char[] {'x', 'y'});
        System.out.println(sb + " " + sb.length());
        sb.insert(0, "start").insert(5, 7).insert(sb.length(), 'e').insert(3, false);
        System.out.println(sb);
        sb.delete(0, 4).deleteCharAt(0).replace(1, 3, "<long>").replace(0, 1, "");
        System.out.println(sb);
        sb.setLength(5);
        System.out.println(sb + "|" + sb.reverse());
        sb.setCharAt(0, 'Z');
        System.out.println(sb.charAt(0) + " " + sb.indexOf("o") + " " + sb.lastIndexOf("<") + " " + sb.substring(2) + " " + sb.substring(1, 2));
        for (int i = 0; i < 100; i++) {
            sb.append(i);
        }
        System.out.println(sb.length() + " " + sb.toString().hashCode());
        sb.setLength(0);
        System.out.println("[" + sb + "]" + sb.isEmpty());
        sb.append("abcdef", 2, 4).append(new char[] {'1', '2', '3'}, 1, 1).append(Integer.MIN_VALUE).append(Long.MIN_VALUE).append(-5);
        System.out.println(sb);
        try {
            sb.insert(1000, "x");
        } catch (StringIndexOutOfBoundsException e) {
            System.out.println("bad offset");
        }
        try {
            sb.deleteCharAt(-1);
        } catch (StringIndexOutOfBoundsException e) {
            System.out.println("bad index");
        }
        StringBuffer buffer = new StringBuffer("buf");
        buffer.append(1).append('x').insert(0, 2.5).reverse();
        System.out.println(buffer);
        System.out.println(new StringBuilder("a").compareTo(new StringBuilder("b")) + " " + new StringBuilder("a").equals(new StringBuilder("a")));
    }
}
