/** Number theory on longs: factors, totients, modular powers, inverses, remainders, Miller-Rabin. */
public class AlgoNumberTheory {
    static long mulmod(long a, long b, long m) {
        long r = 0;
        for (a %= m; b > 0; b >>= 1) {
            if ((b & 1) == 1) {
                r = (r + a) % m;
            }
            a = (a + a) % m;
        }
        return r;
    }

    static long power(long b, long e, long m) {
        long r = 1;
        for (b %= m; e > 0; e >>= 1, b = mulmod(b, b, m)) {
            if ((e & 1) == 1) {
                r = mulmod(r, b, m);
            }
        }
        return r;
    }

    static boolean prime(long n) {
        if (n < 4) {
            return n > 1;
        }
        if (n % 2 == 0) {
            return false;
        }
        long d = n - 1;
        int s = Long.numberOfTrailingZeros(d);
        d >>= s;
        next:
        for (long a : new long[] {2, 3, 5, 7, 11}) {
            if (a % n == 0) {
                continue;
            }
            long x = power(a, d, n);
            if (x == 1 || x == n - 1) {
                continue;
            }
            for (int i = 1; i < s; i++) {
                x = mulmod(x, x, n);
                if (x == n - 1) {
                    continue next;
                }
            }
            return false;
        }
        return true;
    }

    static String factor(long n) {
        StringBuilder sb = new StringBuilder();
        for (long p = 2; p * p <= n; p++) {
            int k = 0;
            while (n % p == 0) {
                n /= p;
                k++;
            }
            if (k > 0) {
                sb.append(p).append(k > 1 ? "^" + k : "").append(' ');
            }
        }
        return n > 1 ? sb.append(n).toString() : sb.toString().trim();
    }

    static long[] extended(long a, long b) {
        if (b == 0) {
            return new long[] {a, 1, 0};
        }
        long[] r = extended(b, a % b);
        return new long[] {r[0], r[2], r[1] - a / b * r[2]};
    }

    public static void main(String[] args) {
        System.out.println(power(3, 1000, 1000007) + " " + power(2, 62, Long.MAX_VALUE / 4) + " " + mulmod(1L << 60, 12345, (1L << 61) - 1));
        System.out.println(prime(97) + " " + prime(1000000007L) + " " + prime(561) + " " + prime(1000000016000000063L) + " " + prime(1));
        System.out.println(factor(360) + ", " + factor(9699690) + ", " + factor(1234567));
        long[] e = extended(240, 46);
        System.out.println(e[0] + " " + e[1] + " " + e[2] + " " + Math.floorMod(extended(17, 3120)[1], 3120L));
        int perfect = 0;
        for (int n = 2; n < 500; n++) {
            int s = 1;
            for (int d = 2; d * d <= n; d++) {
                if (n % d == 0) {
                    s += d + (d * d < n ? n / d : 0);
                }
            }
            if (s == n) {
                perfect += n;
            }
        }
        System.out.println(perfect);
    }
}
