import evergreen.Sym;

/** Drives {@link IntervalSet}. */
public class IntervalSetDriver {
    private static IntervalSet filled(int n) {
        IntervalSet set = new IntervalSet();
        for (int i = 1; i <= n; i++) {
            set.add(Sym.anInt("low" + i), Sym.anInt("high" + i));
        }
        return set;
    }

    public static void add2() {
        Sym.check(filled(2).isValid(), "intervals are apart and in order");
    }

    public static void add3() {
        Sym.check(filled(3).isValid(), "intervals are apart and in order");
    }

    /** A value is in the union if and only if it is in one of the parts. */
    public static void contains() {
        int low1 = Sym.anInt("low1");
        int high1 = Sym.anInt("high1");
        int low2 = Sym.anInt("low2");
        int high2 = Sym.anInt("high2");
        int value = Sym.anInt("value");
        IntervalSet set = new IntervalSet();
        set.add(low1, high1);
        set.add(low2, high2);
        boolean inside = (low1 <= value && value <= high1) || (low2 <= value && value <= high2);
        Sym.check(set.contains(value) == inside, "the union of the parts");
    }
}
