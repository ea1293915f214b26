/** Inner classes that reach through to outer instances, shadowing, and qualified new. */
public class InnerClasses {
    private int value = 1;

    class Inner {
        private int value = 2;

        class Innermost {
            int value = 3;

            String show() {
                return value + " " + this.value + " " + Inner.this.value + " " + InnerClasses.this.value;
            }

            void bump() {
                InnerClasses.this.value += 10;
                Inner.this.value *= 5;
            }
        }
    }

    static class Nested {
        private static int made;
        private final int id = ++made;

        private int secret() {
            return id * 100;
        }
    }

    class Sub extends Inner {
        int sum() {
            return value() + InnerClasses.this.value;
        }

        int value() {
            return super.value;
        }
    }

    int peek(Nested n) {
        return n.secret() + n.id + Nested.made;
    }

    public static void main(String[] args) {
        InnerClasses outer = new InnerClasses();
        InnerClasses.Inner inner = outer.new Inner();
        InnerClasses.Inner.Innermost most = inner.new Innermost();
        System.out.println(most.show());
        most.bump();
        System.out.println(most.show());
        System.out.println(outer.new Sub().sum());
        System.out.println(outer.peek(new Nested()) + outer.peek(new Nested()));
        InnerClasses other = new InnerClasses();
        other.value = 50;
        System.out.println(other.new Inner().new Innermost().show());
        InnerClasses none = null;
        try {
            none.new Inner();
        } catch (NullPointerException e) {
            System.out.println("no outer instance");
        }
    }
}
