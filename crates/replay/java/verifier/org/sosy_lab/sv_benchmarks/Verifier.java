package org.sosy_lab.sv_benchmarks;

import evergreen.Sym;

/**
 * The inputs of verification tasks, as the competition on software verification names them.
 *
 * <p>Each is a draw of {@link Sym}: symbolic under {@code evergreen explore}, a given value when a test is
 * replayed. A run that does not meet an assumption ends without a verdict.
 */
public final class Verifier {
    private Verifier() {}

    public static void assume(boolean condition) {
        Sym.assume(condition);
    }

    public static boolean nondetBoolean() {
        return Sym.aBoolean("nondetBoolean");
    }

    public static byte nondetByte() {
        return Sym.aByte("nondetByte");
    }

    public static char nondetChar() {
        return Sym.aChar("nondetChar");
    }

    public static short nondetShort() {
        return Sym.aShort("nondetShort");
    }

    public static int nondetInt() {
        return Sym.anInt("nondetInt");
    }

    public static long nondetLong() {
        return Sym.aLong("nondetLong");
    }

    public static float nondetFloat() {
        return Sym.aFloat("nondetFloat");
    }

    public static double nondetDouble() {
        return Sym.aDouble("nondetDouble");
    }

    public static String nondetString() {
        return Sym.aString("nondetString");
    }
}
