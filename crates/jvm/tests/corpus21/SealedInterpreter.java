import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A small language interpreted with nested record patterns. */
public class SealedInterpreter {
    sealed interface Expr permits Num, Var, Bin, Let, If { }

    record Num(int v) implements Expr { }

    record Var(String name) implements Expr { }

    record Bin(char op, Expr l, Expr r) implements Expr { }

    record Let(String name, Expr value, Expr body) implements Expr { }

    record If(Expr c, Expr t, Expr e) implements Expr { }

    static int eval(Expr e, Map<String, Integer> env) {
        return switch (e) {
            case Num(int v) -> v;
            case Var(String n) when env.containsKey(n) -> env.get(n);
            case Var(String n) -> throw new IllegalArgumentException("unbound " + n);
            case Bin(char op, Num(int a), Num(int b)) when op == '+' -> a + b;
            case Bin(char op, Expr l, Expr r) -> {
                int a = eval(l, env);
                int b = eval(r, env);
                yield switch (op) {
                    case '+' -> a + b;
                    case '-' -> a - b;
                    case '*' -> a * b;
                    case '/' -> a / b;
                    case '<' -> a < b ? 1 : 0;
                    default -> throw new IllegalArgumentException("operator " + op);
                };
            }
            case Let(var n, var v, var body) -> {
                Map<String, Integer> inner = new HashMap<>(env);
                inner.put(n, eval(v, env));
                yield eval(body, inner);
            }
            case If(Num(int c), Expr t, Expr f) -> eval(c != 0 ? t : f, env);
            case If(Expr c, Expr t, Expr f) -> eval(c, env) != 0 ? eval(t, env) : eval(f, env);
        };
    }

    public static void main(String[] args) {
        Expr x = new Var("x");
        List<Expr> all = List.of(new Bin('+', new Num(2), new Num(3)), new Let("x", new Num(6), new Bin('*', x, new Bin('-', x, new Num(1)))),
            new If(new Bin('<', new Num(1), new Num(2)), new Num(10), x), new If(new Num(0), x, new Num(4)), x,
            new Bin('/', new Num(1), new Num(0)), new Bin('?', new Num(1), new Num(0)),
            new Let("x", new Num(1), new Let("x", new Bin('+', x, x), new Bin('+', x, new Num(1)))));
        for (Expr e : all) {
            try {
                System.out.println(eval(e, Map.of()));
            } catch (RuntimeException t) {
                System.out.println(t.getMessage());
            }
        }
    }
}
