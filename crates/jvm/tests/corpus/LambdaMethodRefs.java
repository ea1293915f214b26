/** The four kinds of method references, and constructor references of arrays. */
public class LambdaMethodRefs {
    interface Fn<A, R> {
        R on(A a);
    }

    interface Fn2<A, B, R> {
        R on(A a, B b);
    }

    interface ToInt<A> {
        int of(A a);
    }

    interface Make<R> {
        R make();
    }

    final String tag;

    LambdaMethodRefs() {
        this("none");
    }

    LambdaMethodRefs(String tag) {
        this.tag = tag;
    }

    static int twice(int x) {
        return 2 * x;
    }

    String join(String s) {
        return tag + "+" + s;
    }

    class In {
        final int n;

        In(int n) {
            this.n = n + tag.length();
        }
    }

    @Override
    public String toString() {
        return "M:" + tag;
    }

    class Child extends LambdaMethodRefs {
        Fn<String, String> up() {
            return super::join;
        }

        @Override
        String join(String s) {
            return "child";
        }
    }

    public static void main(String[] args) {
        Fn<Integer, Integer> stat = LambdaMethodRefs::twice;
        System.out.println(stat.on(21));
        LambdaMethodRefs m = new LambdaMethodRefs("bound");
        Fn<String, String> bound = m::join;
        System.out.println(bound.on("a"));
        Fn2<LambdaMethodRefs, String, String> unbound = LambdaMethodRefs::join;
        System.out.println(unbound.on(new LambdaMethodRefs(), "b"));
        Make<LambdaMethodRefs> c0 = LambdaMethodRefs::new;
        Fn<String, LambdaMethodRefs> c1 = LambdaMethodRefs::new;
        System.out.println(c0.make() + " " + c1.on("one"));
        Fn<Integer, int[]> arr = int[]::new;
        Fn<Integer, String[][]> arr2 = String[][]::new;
        System.out.println(arr.on(3).length + arr2.on(4).length);
        ToInt<String> len = String::length;
        System.out.println(len.of("four"));
        Fn2<String, String, Integer> cmp = String::compareTo;
        System.out.println(cmp.on("a", "c"));
        Fn<Object, String> str = Object::toString;
        System.out.println(str.on(m) + str.on(17));
        Fn<Integer, In> inner = m.new Child().tag == null ? null : m.maker();
        System.out.println(inner.on(1).n);
        System.out.println(m.new Child().up().on("x"));
        Make<String> greedy = "abc"::toUpperCase;
        System.out.println(greedy.make());
        LambdaMethodRefs nobody = null;
        try {
            Fn<String, String> never = nobody::join;
            System.out.println(never);
        } catch (NullPointerException e) {
            System.out.println("bound to null");
        }
        Fn2<Integer, Integer, Integer> mx = Math::max;
        System.out.println(mx.on(3, 9));
        Fn<int[], int[]> cl = int[]::clone;
        System.out.println(cl.on(new int[] {4, 5})[1]);
    }

    Fn<Integer, In> maker() {
        return In::new;
    }
}
