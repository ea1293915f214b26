/** Lambdas that capture nothing, locals of each type, this, and other lambdas. */
public class LambdaCapture {
    interface Op {
        long apply(int a, long b, double c, Object d);
    }

    interface Thunk<T> {
        T get();
    }

    private String name = "outer";

    Thunk<String> thunk(int n) {
        return () -> name + n + this.name.length();
    }

    static Thunk<Thunk<Integer>> nested(int x) {
        return () -> {
            int y = x + 1;
            return () -> x * 10 + y;
        };
    }

    public static void main(String[] args) {
        byte b = 1;
        short s = 2;
        char c = 'x';
        boolean z = true;
        float f = 1.5f;
        double d = 2.5;
        long l = 1L << 35;
        int[] arr = {7};
        String t = "t";
        Thunk<String> all = () -> b + " " + s + " " + c + " " + z + " " + f + " " + d + " " + l + " " + arr[0] + " " + t;
        arr[0] = 8;
        System.out.println(all.get());
        Op op = (p, q, r, o) -> p + q + (long) r + o.toString().length() + l;
        System.out.println(op.apply(1, 2L, 3.9, "four"));
        LambdaCapture me = new LambdaCapture();
        Thunk<String> th = me.thunk(5);
        me.name = "changed";
        System.out.println(th.get());
        System.out.println(nested(4).get().get());
        Runnable r = () -> arr[0]++;
        for (int i = 0; i < 3; i++) {
            r.run();
        }
        System.out.println(arr[0]);
        Thunk<?>[] thunks = new Thunk<?>[3];
        for (int i = 0; i < 3; i++) {
            int k = i;
            thunks[i] = () -> k * k;
        }
        System.out.println(thunks[0].get() + "" + thunks[1].get() + thunks[2].get());
        Object o = (Runnable & java.io.Serializable) () -> System.out.println("both");
        ((Runnable) o).run();
        System.out.println(o instanceof java.io.Serializable);
    }
}
