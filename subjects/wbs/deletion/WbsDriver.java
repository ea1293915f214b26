import evergreen.Sym;

/** Drives {@link Wbs}. */
public class WbsDriver {
    private static Wbs steps(int n) {
        Wbs wbs = new Wbs();
        for (int i = 1; i <= n; i++) {
            wbs.update(Sym.anInt("pedal" + i), Sym.aBoolean("autoBrake" + i), Sym.aBoolean("skid" + i));
        }
        return wbs;
    }

    public static int step1() {
        return steps(1).normalPressure;
    }

    public static int step2() {
        return steps(2).normalPressure;
    }

    /** The papers' run: 24^3 = 13824 paths. */
    public static int step3() {
        return steps(3).normalPressure;
    }

    /** The three steps of the papers with their inputs as parameters. */
    public static int launch(int pedal1, boolean autoBrake1, boolean skid1, int pedal2, boolean autoBrake2,
            boolean skid2, int pedal3, boolean autoBrake3, boolean skid3) {
        Wbs wbs = new Wbs();
        wbs.update(pedal1, autoBrake1, skid1);
        wbs.update(pedal2, autoBrake2, skid2);
        wbs.update(pedal3, autoBrake3, skid3);
        return wbs.normalPressure;
    }
}
