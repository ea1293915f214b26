/** Interfaces with constants, nested classes and static factories; ambiguous names made explicit. */
public class InterfaceConstantsAndStatic {
    interface Unit {
        int FACTOR = 10;
        Unit ROOT = new Unit() {
            public double in(double x) {
                return x;
            }
        };

        double in(double x);

        default Unit then(Unit next) {
            return x -> next.in(in(x));
        }

        static Unit scale(double by) {
            return x -> x * by;
        }

        class Named implements Unit {
            final String name;
            final Unit unit;

            Named(String name, Unit unit) {
                this.name = name;
                this.unit = unit;
            }

            public double in(double x) {
                return unit.in(x);
            }

            @Override
            public String toString() {
                return name;
            }
        }
    }

    interface Other {
        int FACTOR = 20;
    }

    static class Both implements Unit, Other {
        public double in(double x) {
            return x * Unit.FACTOR * Other.FACTOR;
        }
    }

    public static void main(String[] args) {
        Unit km = Unit.scale(1000);
        Unit mm = Unit.scale(0.001).then(Unit.scale(1e6));
        System.out.println(km.in(2) + " " + mm.in(3) + " " + Unit.ROOT.then(km).then(new Both()).in(0.5));
        Unit.Named n = new Unit.Named("kilo", km);
        System.out.println(n + " " + n.in(1) + " " + Unit.Named.FACTOR);
        Unit[] all = {n, km, Unit.ROOT};
        double sum = 0;
        for (Unit u : all) {
            sum += u.in(1);
        }
        System.out.println(sum);
    }
}
