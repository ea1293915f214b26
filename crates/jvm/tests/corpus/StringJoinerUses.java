import java.util.StringJoiner;
import java.util.StringTokenizer;

/** StringJoiner and StringTokenizer. */
public class StringJoinerUses {
    public static void main(String[] args) {
        StringJoiner j = new StringJoiner(", ", "{", "}");
        System.out.println(j + " " + j.length());
        j.setEmptyValue("nothing");
        System.out.println(j);
        j.add("a").add("b").add(null);
        System.out.println(j + " " + j.length());
        StringJoiner k = new StringJoiner("-");
        k.add("x").add("y").merge(j);
        System.out.println(k);
        StringTokenizer t = new StringTokenizer("to be, or  not", " ,");
        System.out.println(t.countTokens());
        while (t.hasMoreTokens()) {
            System.out.print("<" + t.nextToken() + ">");
        }
        System.out.println();
        StringTokenizer d = new StringTokenizer("1+2", "+", true);
        System.out.println(d.nextToken() + d.nextToken() + d.nextToken() + d.hasMoreElements());
    }
}
