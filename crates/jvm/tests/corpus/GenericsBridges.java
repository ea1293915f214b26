/** Bridge methods: covariant returns and generic parameters. */
public class GenericsBridges {
    interface Source<T> {
        T get();
    }

    interface Sink<T> {
        void put(T t);
    }

    static class Text implements Source<String>, Sink<Integer>, Comparable<Text> {
        int total;

        public String get() {
            return "total " + total;
        }

        public void put(Integer i) {
            total += i;
        }

        public int compareTo(Text o) {
            return total - o.total;
        }
    }

    static class Base implements Cloneable {
        int x = 1;

        Object make() {
            return "base";
        }

        @Override
        protected Base clone() throws CloneNotSupportedException {
            return (Base) super.clone();
        }
    }

    static class Sub extends Base {
        int[] shared = {5};

        @Override
        String make() {
            return "sub" + super.make();
        }

        @Override
        public Sub clone() throws CloneNotSupportedException {
            return (Sub) super.clone();
        }
    }

    static <T extends Comparable<? super T>> T max(T a, T b) {
        return a.compareTo(b) >= 0 ? a : b;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    public static void main(String[] args) throws Exception {
        Text t = new Text();
        Sink<Integer> sink = t;
        sink.put(4);
        Source<String> source = t;
        System.out.println(source.get());
        System.out.println(max(t, new Text()).get() + max("a", "b") + max(3, 2));
        Sink raw = t;
        try {
            raw.put("five");
        } catch (ClassCastException e) {
            System.out.println("the bridge casts");
        }
        Base b = new Sub();
        System.out.println(b.make());
        Sub s = (Sub) b.clone();
        s.x = 9;
        s.shared[0] = 6;
        System.out.println(b.x + " " + ((Sub) b).shared[0] + " " + s.x);
        try {
            new Object() {
                Object copy() throws CloneNotSupportedException {
                    return clone();
                }
            }.copy();
        } catch (CloneNotSupportedException e) {
            System.out.println("not cloneable");
        }
    }
}
