import java.util.ArrayList;
import java.util.List;

/** A sealed expression language: simplification and derivation. */
public class SealedHierarchy {
    sealed interface Expr permits Const, Var, Add, Mul { }

    record Const(int v) implements Expr {
        @Override
        public String toString() {
            return "" + v;
        }
    }

    record Var(String n) implements Expr {
        @Override
        public String toString() {
            return n;
        }
    }

    record Add(Expr l, Expr r) implements Expr {
        @Override
        public String toString() {
            return "(" + l + " + " + r + ")";
        }
    }

    record Mul(Expr l, Expr r) implements Expr {
        @Override
        public String toString() {
            return l + "*" + r;
        }
    }

    static Expr simplify(Expr e) {
        if (e instanceof Add a) {
            Expr l = simplify(a.l());
            Expr r = simplify(a.r());
            if (l instanceof Const x && r instanceof Const y) {
                return new Const(x.v() + y.v());
            }
            if (l.equals(new Const(0))) {
                return r;
            }
            return r.equals(new Const(0)) ? l : new Add(l, r);
        }
        if (e instanceof Mul m) {
            Expr l = simplify(m.l());
            Expr r = simplify(m.r());
            if (l instanceof Const x && r instanceof Const y) {
                return new Const(x.v() * y.v());
            }
            if (l.equals(new Const(0)) || r.equals(new Const(0))) {
                return new Const(0);
            }
            return l.equals(new Const(1)) ? r : r.equals(new Const(1)) ? l : new Mul(l, r);
        }
        return e;
    }

    static Expr derive(Expr e, String x) {
        if (e instanceof Const) {
            return new Const(0);
        } else if (e instanceof Var v) {
            return new Const(v.n().equals(x) ? 1 : 0);
        } else if (e instanceof Add a) {
            return new Add(derive(a.l(), x), derive(a.r(), x));
        } else if (e instanceof Mul m) {
            return new Add(new Mul(derive(m.l(), x), m.r()), new Mul(m.l(), derive(m.r(), x)));
        }
        throw new AssertionError();
    }

    public static void main(String[] args) {
        Expr x = new Var("x");
        List<Expr> all = new ArrayList<>();
        all.add(new Add(new Mul(x, x), new Mul(new Const(3), x)));
        all.add(new Mul(new Add(x, new Const(1)), new Const(0)));
        all.add(new Add(new Const(2), new Mul(new Const(4), new Const(5))));
        for (Expr e : all) {
            System.out.println(e + " => " + simplify(e) + ", derived " + simplify(derive(e, "x")));
        }
        System.out.println(all.get(0).hashCode() == new Add(new Mul(x, x), new Mul(new Const(3), x)).hashCode());
    }
}
