/** A calculator: tokens, shunting yard, evaluation with doubles and errors. */
public class AlgoCalculator {
    static int rank(char op) {
        return op == '+' || op == '-' ? 1 : op == '*' || op == '/' ? 2 : op == '^' ? 3 : 0;
    }

    static double apply(char op, double a, double b) {
        switch (op) {
            case '+': return a + b;
            case '-': return a - b;
            case '*': return a * b;
            case '/': return a / b;
            case '^': return Math.pow(a, b);
            default: throw new IllegalArgumentException("operator " + op);
        }
    }

    static double eval(String s) {
        double[] nums = new double[20];
        char[] ops = new char[20];
        int n = 0;
        int o = 0;
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (c == ' ') {
                continue;
            }
            if (Character.isDigit(c)) {
                int v = 0;
                while (i < s.length() && Character.isDigit(s.charAt(i))) {
                    v = v * 10 + s.charAt(i++) - '0';
                }
                i--;
                nums[n++] = v;
            } else if (c == '(') {
                ops[o++] = c;
            } else if (c == ')') {
                while (ops[--o] != '(') {
                    nums[n - 2] = apply(ops[o], nums[n - 2], nums[n - 1]);
                    n--;
                }
            } else {
                while (o > 0 && ops[o - 1] != '(' && (rank(ops[o - 1]) > rank(c) || rank(ops[o - 1]) == rank(c) && c != '^')) {
                    nums[n - 2] = apply(ops[--o], nums[n - 2], nums[n - 1]);
                    n--;
                }
                ops[o++] = c;
            }
        }
        while (o > 0) {
            nums[n - 2] = apply(ops[--o], nums[n - 2], nums[n - 1]);
            n--;
        }
        return nums[0];
    }

    public static void main(String[] args) {
        for (String s : new String[] {"1 + 2 * 3", "(1+2)*3", "2^3^2", "10/4-1", "100", "1/0", "((2))*(3+(4-1))", "1+", "2?3", "1)"}) {
            try {
                System.out.println(s + " = " + eval(s));
            } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
                System.out.println(s + " fails: " + e.getMessage());
            }
        }
    }
}
