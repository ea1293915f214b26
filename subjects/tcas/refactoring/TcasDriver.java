import evergreen.Sym;

/** Drives {@link Tcas} and checks what safe advice should look like. */
public class TcasDriver {
    private static int required(int layer) {
        switch (layer) {
            case 0:
                return 400;
            case 1:
                return 500;
            case 2:
                return 640;
            default:
                return 740;
        }
    }

    /** If climbing separates enough and descending does not, no advice to descend; and the mirror image. */
    public static int safe(int verticalSeparation, int highConfidence, int twoReportsValid, int ownAltitude, int ownRate,
            int otherAltitude, int layer, int upSeparation, int downSeparation, int otherIntent, int otherCapability,
            int climbInhibited) {
        int advice = Tcas.advise(verticalSeparation, highConfidence, twoReportsValid, ownAltitude, ownRate, otherAltitude,
                layer, upSeparation, downSeparation, otherIntent, otherCapability, climbInhibited);
        int required = required(layer);
        if (upSeparation >= required && downSeparation < required) {
            Sym.check(advice != Tcas.DESCEND, "no descent without separation below");
        }
        if (upSeparation < required && downSeparation >= required) {
            Sym.check(advice != Tcas.CLIMB, "no climb without separation above");
        }
        return advice;
    }
}
