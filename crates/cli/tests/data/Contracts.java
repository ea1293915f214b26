import java.util.List;
import java.util.Objects;

/** Failures of every severity. The name of a method begins with that of its failure; `fine` methods have none. */
public class Contracts {
    private final int[] cells = new int[2];

    public static int assertionOwn(int n) {
        assert n != 7 : "seven";
        return n;
    }

    public static int unexpectedMachine(int n) {
        return 10 / n;
    }

    public static int unexpectedLibrary(int n) {
        return List.of(1, 2).get(n);
    }

    public static int unexpectedOwnNull(int n) {
        String s = n > 3 ? null : "x";
        return s.length();
    }

    public static int unexpectedOtherNull(String s) {
        if (s == null) {
            s = System.getProperty("none.such");
        }
        return s.length();
    }

    public static int unexpectedNullOfTheProgram(int n) {
        String s = n == 0 ? null : "a";
        Objects.requireNonNull(s);
        return 1;
    }

    // Wrapping and throwing again do not make a contract of a bug.
    public static int unexpectedWrapped(int n) {
        try {
            return 10 / n;
        } catch (Exception e) {
            throw new RuntimeException(e);
        }
    }

    public static int unexpectedAgain(int n) {
        int x = 1;
        try {
            x = 10 / n; // line 51
        } catch (ArithmeticException e) {
            throw e;
        } finally {
            x += 2;
        }
        return x;
    }

    // The clause is for checked exceptions.
    public static int unexpectedBroad(int n) throws Exception {
        return 10 / n;
    }

    public static int declaredThrown(int n) {
        if (n < 0) {
            throw new IllegalArgumentException("negative: " + n);
        }
        return n;
    }

    public static int declaredMade(int n) {
        if (n < 0) {
            throw fail();
        }
        return n;
    }

    private static IllegalStateException fail() {
        return new IllegalStateException("no");
    }

    /**
     * Divides.
     *
     * @throws ArithmeticException if n is zero
     */
    public static int declaredDocumented(int n) {
        return 10 / n;
    }

    public static int declaredSignature(int n) throws ArithmeticException {
        return 10 / n;
    }

    public static int declaredChecked(int n) throws Exception {
        if (n == 3) {
            throw new java.io.IOException("three");
        }
        return n;
    }

    public static int declaredRequired(String s) {
        Objects.requireNonNull(s, "s");
        return 1;
    }

    public static int declaredIndex(int i) {
        return Objects.checkIndex(i, 3);
    }

    public static int declaredTranslated(int n) {
        try {
            return Integer.parseInt(n == 0 ? "x" : "1");
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("bad", e);
        }
    }

    public static int nullLength(String s) {
        return s.length();
    }

    public static int nullPassed(int[] a) {
        return inner(3, a);
    }

    private static int inner(long pad, int[] a) {
        int[] b = a;
        return b.length;
    }

    public static boolean nullLibrary(String s) {
        return "abc".contains(s);
    }

    public static int nullSwitched(String s) {
        switch (s) {
            case "a":
                return 1;
            default:
                return 2;
        }
    }

    public static boolean nullListed(String s) {
        return List.of("a").contains(s);
    }

    public static String nullNative(String s) {
        return "a".concat(s);
    }

    public static int nullBoxed(Integer n) {
        return n + 1;
    }

    public int nullOfReceiver(String s) {
        return cells.length + s.length();
    }

    // Both at one place: the argument and a null of the program's own.
    public static int bothAtOnePlace(String s, int n) {
        return of(n > 0 ? null : "a") + of(s);
    }

    private static int of(String s) {
        return s.length();
    }

    public static int fineCaught(int n) {
        try {
            return 10 / n;
        } catch (ArithmeticException e) {
            return 0;
        }
    }
}
