/** What finally does to a pending return, break, continue or exception. */
public class TryFinallyReturns {
    static int override() {
        try {
            return 1;
        } finally {
            return 2;
        }
    }

    static int keeps() {
        int x = 1;
        try {
            return x;
        } finally {
            x = 5;
        }
    }

    static int[] shared() {
        int[] x = {1};
        try {
            return x;
        } finally {
            x[0] = 5;
        }
    }

    static String swallow() {
        try {
            throw new RuntimeException("lost");
        } finally {
            return "swallowed";
        }
    }

    static int loop() {
        int n = 0;
        for (int i = 0; i < 10; i++) {
            try {
                if (i % 2 == 0) {
                    continue;
                }
                if (i == 7) {
                    break;
                }
                n += 10;
            } finally {
                n++;
            }
        }
        return n;
    }

    static int nested(StringBuilder log) {
        try {
            try {
                log.append('a');
                return Integer.parseInt("x");
            } finally {
                log.append('b');
            }
        } catch (NumberFormatException e) {
            log.append('c');
            try {
                return log.length();
            } finally {
                log.append('d');
            }
        } finally {
            log.append('e');
        }
    }

    static long longValue(boolean fail) {
        long l = 1L << 40;
        try {
            if (fail) {
                throw new IllegalStateException();
            }
            return l + 1;
        } catch (IllegalStateException e) {
            return l + 2;
        } finally {
            l = 0;
        }
    }

    @SuppressWarnings("finally")
    static int breakOut() {
        while (true) {
            try {
                return 1;
            } finally {
                break;
            }
        }
        return 3;
    }

    public static void main(String[] args) {
        System.out.println(override() + " " + keeps() + " " + shared()[0] + " " + swallow() + " " + loop());
        StringBuilder log = new StringBuilder();
        System.out.println(nested(log) + " " + log);
        System.out.println(longValue(false) + " " + longValue(true) + " " + breakOut());
    }
}
