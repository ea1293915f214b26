/**
 * As add1, and there is no advice to climb above a ceiling.
 */
public class Tcas {
    static final int MOST_CLIMB_RATE = 600;
    static final int LEAST_SEPARATION = 600;
    static final int LEAST_ALTITUDE_GAP = 300;
    static final int CLIMB_BONUS = 100;
    static final int CEILING = 40000;
    static final int EQUIPPED = 1;
    static final int NO_INTENT = 0;
    static final int DO_NOT_DESCEND = 1;
    static final int DO_NOT_CLIMB = 2;

    static final int UNRESOLVED = 0;
    static final int CLIMB = 1;
    static final int DESCEND = 2;

    private int verticalSeparation;
    private int highConfidence;
    private int twoReportsValid;
    private int ownAltitude;
    private int ownRate;
    private int otherAltitude;
    private int layer;
    private int upSeparation;
    private int downSeparation;
    private int otherIntent;
    private int otherCapability;
    private int climbInhibited;

    /** The advice for one situation. */
    public static int advise(int verticalSeparation, int highConfidence, int twoReportsValid, int ownAltitude,
            int ownRate, int otherAltitude, int layer, int upSeparation, int downSeparation, int otherIntent,
            int otherCapability, int climbInhibited) {
        Tcas tcas = new Tcas();
        tcas.verticalSeparation = verticalSeparation;
        tcas.highConfidence = highConfidence;
        tcas.twoReportsValid = twoReportsValid;
        tcas.ownAltitude = ownAltitude;
        tcas.ownRate = ownRate;
        tcas.otherAltitude = otherAltitude;
        tcas.layer = layer;
        tcas.upSeparation = upSeparation;
        tcas.downSeparation = downSeparation;
        tcas.otherIntent = otherIntent;
        tcas.otherCapability = otherCapability;
        tcas.climbInhibited = climbInhibited;
        return tcas.altitudeAdvice();
    }

    private int altitudeAdvice() {
        boolean enabled = highConfidence != 0 && ownRate <= MOST_CLIMB_RATE && verticalSeparation > LEAST_SEPARATION;
        boolean equipped = otherCapability == EQUIPPED && layer >= 0;
        boolean intentUnknown = twoReportsValid != 0 && otherIntent == NO_INTENT;
        int advice = UNRESOLVED;
        if (enabled && ((equipped && intentUnknown) || !equipped)) {
            boolean up = nonCrossingClimb() && ownBelowThreat();
            boolean down = nonCrossingDescend() && ownAboveThreat();
            if (up && down) {
                advice = UNRESOLVED;
            } else if (up) {
                advice = ownAltitude > CEILING ? UNRESOLVED : CLIMB;
            } else if (down) {
                advice = DESCEND;
            } else {
                advice = UNRESOLVED;
            }
        }
        return advice;
    }

    private int required() {
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

    private int biasedClimb() {
        return climbInhibited != 0 ? upSeparation + CLIMB_BONUS : upSeparation;
    }

    private boolean nonCrossingClimb() {
        boolean upwardPreferred = biasedClimb() > downSeparation;
        if (upwardPreferred) {
            return !ownBelowThreat() || (ownBelowThreat() && !(downSeparation >= required()));
        }
        return ownAboveThreat() && verticalSeparation >= LEAST_ALTITUDE_GAP && upSeparation >= required();
    }

    private boolean nonCrossingDescend() {
        boolean upwardPreferred = biasedClimb() > downSeparation;
        if (upwardPreferred) {
            return ownBelowThreat() && verticalSeparation >= LEAST_ALTITUDE_GAP && downSeparation >= required();
        }
        return !ownAboveThreat() || (ownAboveThreat() && upSeparation >= required());
    }

    private boolean ownBelowThreat() {
        return ownAltitude < otherAltitude;
    }

    private boolean ownAboveThreat() {
        return otherAltitude < ownAltitude;
    }
}
