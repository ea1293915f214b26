import evergreen.Sym;

/** Drives {@link Arbiter} with any sequence of events. */
public class ArbiterDriver {
    private static int events(int n) {
        Arbiter arbiter = new Arbiter();
        int done = 0;
        for (int i = 1; i <= n; i++) {
            int user = Sym.anInt("user" + i);
            int kind = Sym.anInt("kind" + i);
            int resource = Sym.anInt("resource" + i);
            if (arbiter.event(user, kind, resource)) {
                done++;
            }
            Sym.check(arbiter.isConsistent(), "holders and states agree");
        }
        return done;
    }

    public static int events1() {
        return events(1);
    }

    public static int events2() {
        return events(2);
    }

    public static int events3() {
        return events(3);
    }
}
