import evergreen.Sym;

/** Methods with so many paths that several threads are worth their start: the subjects' own drivers, with more to do. */
public class Jobs {
    /** Eight keys into a search tree would have 545,835 paths; seven are enough. */
    public static int tree() {
        return BinTreeDriver.add7();
    }

    /** Eight keys into a sorted list: 8! places. */
    public static int list() {
        SortedList list = new SortedList();
        for (int i = 1; i <= 8; i++) {
            list.insert(Sym.anInt("key" + i));
        }
        return list.size();
    }

    /** The three steps of the papers, and a fourth of which only the pedal is not known. */
    public static int brakes() {
        Wbs wbs = new Wbs();
        for (int i = 1; i <= 3; i++) {
            wbs.update(Sym.anInt("pedal" + i), Sym.aBoolean("autoBrake" + i), Sym.aBoolean("skid" + i));
        }
        wbs.update(Sym.anInt("pedal4"), false, false);
        return wbs.normalPressure;
    }

    /** What is advised for two aircraft, one after the other. */
    public static int advice(int verticalSeparation, int highConfidence, int twoReportsValid, int ownAltitude,
            int ownRate, int otherAltitude, int layer, int upSeparation, int downSeparation, int otherIntent,
            int otherCapability, int climbInhibited) {
        int first = Tcas.advise(verticalSeparation, highConfidence, twoReportsValid, ownAltitude, ownRate,
                otherAltitude, layer, upSeparation, downSeparation, otherIntent, otherCapability, climbInhibited);
        int second = Tcas.advise(Sym.anInt("vertical2"), Sym.anInt("confidence2"), Sym.anInt("valid2"), ownAltitude,
                Sym.anInt("rate2"), Sym.anInt("altitude2"), Sym.anInt("layer2"), Sym.anInt("up2"), Sym.anInt("down2"),
                Sym.anInt("intent2"), Sym.anInt("capability2"), climbInhibited);
        return 3 * first + second;
    }
}
