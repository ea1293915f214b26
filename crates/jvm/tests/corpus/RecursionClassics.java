/** Recursion: one function, two functions calling each other, many frames. */
public class RecursionClassics {
    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static int ackermann(int m, int n) {
        return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
    }

    static boolean even(int n) {
        return n == 0 || odd(n - 1);
    }

    static boolean odd(int n) {
        return n != 0 && even(n - 1);
    }

    static int moves;

    static void hanoi(int n, char from, char to, char via) {
        if (n == 0) {
            return;
        }
        hanoi(n - 1, from, via, to);
        moves++;
        if (n == 4) {
            System.out.println(from + ">" + to);
        }
        hanoi(n - 1, via, to, from);
    }

    static void permute(String done, String rest) {
        if (rest.isEmpty()) {
            System.out.print(done + " ");
            return;
        }
        for (int i = 0; i < rest.length(); i++) {
            permute(done + rest.charAt(i), rest.substring(0, i) + rest.substring(i + 1));
        }
    }

    static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    public static void main(String[] args) {
        System.out.println(fib(15));
        System.out.println(ackermann(2, 3));
        System.out.println(even(100) + " " + odd(77));
        hanoi(4, 'a', 'b', 'c');
        System.out.println(moves);
        permute("", "abc");
        System.out.println();
        System.out.println(gcd(1071L * 99, 462L * 99));
    }
}
