/** Abstract classes, template methods, calls through interfaces to inherited methods. */
public class AbstractClasses {
    interface Visitor<R> {
        R num(int n);

        R bin(char op, Node l, Node r);
    }

    abstract static class Node {
        abstract <R> R accept(Visitor<R> v);

        final int eval() {
            return accept(new Visitor<Integer>() {
                public Integer num(int n) {
                    return n;
                }

                public Integer bin(char op, Node l, Node r) {
                    int a = l.eval();
                    int b = r.eval();
                    return op == '+' ? a + b : op == '*' ? a * b : a - b;
                }
            });
        }
    }

    static class Num extends Node {
        final int n;

        Num(int n) {
            this.n = n;
        }

        <R> R accept(Visitor<R> v) {
            return v.num(n);
        }
    }

    static class Bin extends Node {
        final char op;
        final Node l;
        final Node r;

        Bin(char op, Node l, Node r) {
            this.op = op;
            this.l = l;
            this.r = r;
        }

        <R> R accept(Visitor<R> v) {
            return v.bin(op, l, r);
        }
    }

    static class Show implements Visitor<String> {
        public String num(int n) {
            return n < 0 ? "(" + n + ")" : "" + n;
        }

        public String bin(char op, Node l, Node r) {
            return "(" + l.accept(this) + op + r.accept(this) + ")";
        }
    }

    public static void main(String[] args) {
        Node n = new Bin('+', new Num(3), new Bin('*', new Num(-4), new Bin('-', new Num(10), new Num(2))));
        System.out.println(n.accept(new Show()) + " = " + n.eval());
        int size = n.accept(new Visitor<Integer>() {
            public Integer num(int v) {
                return 1;
            }

            public Integer bin(char op, Node l, Node r) {
                return 1 + l.accept(this) + r.accept(this);
            }
        });
        System.out.println(size);
    }
}
