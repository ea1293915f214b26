/** Deeply nested try blocks whose finally clauses change what is on its way out. */
public class TryNestedFinally {
    static StringBuilder log = new StringBuilder();

    static int f(int k) {
        int r = 0;
        outer:
        for (int i = 0; i < 3; i++) {
            try {
                try {
                    log.append(i);
                    if (k == 1 && i == 1) {
                        throw new IllegalStateException("k1");
                    }
                    if (k == 2 && i == 1) {
                        return r + 1000;
                    }
                    if (k == 3 && i == 1) {
                        continue outer;
                    }
                    if (k == 4 && i == 1) {
                        break outer;
                    }
                    r += 1;
                } finally {
                    log.append('a');
                    if (k == 5) {
                        throw new IllegalArgumentException("k5");
                    }
                    r += 10;
                }
            } catch (IllegalStateException e) {
                log.append('c');
                if (i == 1) {
                    continue;
                }
            } catch (IllegalArgumentException e) {
                log.append('d');
                try {
                    throw new RuntimeException("again", e);
                } catch (RuntimeException x) {
                    log.append(x.getCause().getMessage());
                    if (i == 2) {
                        return -5;
                    }
                } finally {
                    log.append('f');
                }
            } finally {
                log.append('b');
                r += 100;
            }
            log.append('.');
        }
        return r;
    }

    static long twice(int n) {
        long total = 0;
        try {
            total += n / (n - 1);
            try {
                total *= 10;
                if (n == 2) {
                    return total;
                }
                total += new int[n - 3].length;
            } catch (NegativeArraySizeException e) {
                total = -7;
                return total;
            } finally {
                total++;
            }
        } catch (ArithmeticException e) {
            total += 50;
        } finally {
            log.append(total).append(' ');
        }
        return total * 2;
    }

    public static void main(String[] args) {
        for (int k = 0; k < 6; k++) {
            log.setLength(0);
            int r = f(k);
            System.out.println(k + ": " + r + " " + log);
        }
        log.setLength(0);
        for (int n = 0; n < 6; n++) {
            try {
                System.out.print(twice(n) + " ");
            } catch (RuntimeException e) {
                System.out.print(e.getMessage() + " ");
            }
        }
        System.out.println("| " + log);
    }
}
