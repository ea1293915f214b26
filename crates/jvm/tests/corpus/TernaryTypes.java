import java.util.ArrayList;
import java.util.List;

/** Conditional expressions over mixed and boxed types, nested in calls and loops. */
public class TernaryTypes {
    static String kind(Object o) {
        return o == null ? "null" : o.getClass().getSimpleName();
    }

    static long pick(boolean b, int i, long l) {
        return b ? i : l;
    }

    public static void main(String[] args) {
        boolean t = args.length == 0;
        boolean f = !t;
        System.out.println(kind(t ? 1 : 2L) + kind(t ? 1 : "s") + kind(f ? 1 : 'c') + kind(t ? (Integer) 5 : (Double) 2.0) + kind(t ? null : 0));
        System.out.println(pick(t, -1, 5) + pick(f, 1, 1L << 40));
        char c = t ? 98 : 'x';
        byte b = (byte) (t ? 'a' : 0);
        System.out.println(c + "" + b + (t ? c : b) + (t ? c : 1000000) + (char) (f ? c : b));
        Integer none = null;
        try {
            int bad = t ? none : 0;
            System.out.println(bad);
        } catch (NullPointerException e) {
            System.out.println("unboxing");
        }
        Integer ok = t ? none : Integer.valueOf(3);
        System.out.println(ok);
        List<? extends Object> l = t ? new ArrayList<>(List.of("x")) : List.of(1);
        System.out.println(l);
        int max = 0;
        for (int i = 0, d = 3; i < 10; i += d > 0 ? d-- : 4) {
            max = i > max ? i : max;
        }
        System.out.println(max + " " + (max > 5 ? max > 7 ? "big" : "mid" : "small"));
        double mix = f ? 1 : 2.5f;
        System.out.println(mix + (t ? 1 : 0.0));
        Object[] os = {t ? "a" : 'b', f ? "a" : 'b'};
        System.out.println(kind(os[0]) + kind(os[1]));
    }
}
