import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.function.BiFunction;

/** var for locals, loops and lambda parameters; what is inferred. */
public class VarInference {
    static String kind(int x) {
        return "int";
    }

    static String kind(long x) {
        return "long";
    }

    static String kind(double x) {
        return "double";
    }

    static String kind(Object x) {
        return "object";
    }

    public static void main(String[] args) {
        var i = 1;
        var l = 1L;
        var d = 1f * 2.0;
        var s = "s";
        var c = (char) 65;
        System.out.println(kind(i) + kind(l) + kind(d) + kind(s) + kind(c) + kind(c + i) + kind(i / 2.0f));
        var list = new ArrayList<HashMap<String, List<Integer>>>();
        list.add(new HashMap<>());
        list.get(0).put("k", List.of(1, 2));
        for (var m : list) {
            for (var e : m.entrySet()) {
                var sum = 0;
                for (var v : e.getValue()) {
                    sum += v;
                }
                System.out.println(e.getKey() + sum);
            }
        }
        BiFunction<Integer, Integer, Integer> f = (var a, var b) -> a * b;
        System.out.println(f.apply(6, 7));
        var mixed = List.of(1, "two", 3.0);
        for (var x : mixed) {
            System.out.print(x + " ");
        }
        System.out.println();
        var counter = new Object() {
            int n;

            int next() {
                return ++n;
            }
        };
        counter.next();
        System.out.println(counter.next() + counter.n);
        var array = new int[][] {{1}, {2, 3}};
        for (var row : array) {
            System.out.print(row.length);
        }
        System.out.println();
    }
}
