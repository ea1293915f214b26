/** values, valueOf, ordinal, compareTo, switch, fields and constructors. */
public class EnumBasics {
    enum Planet {
        MERCURY(3.303e+23, 2.4397e6),
        EARTH(5.976e+24, 6.37814e6),
        MARS(6.421e+23, 3.3972e6);

        final double mass;
        final double radius;
        static final double G = 6.67300E-11;
        static int count;

        static {
            for (Planet p : values()) {
                count += p.ordinal() + 1;
            }
        }

        Planet(double mass, double radius) {
            this.mass = mass;
            this.radius = radius;
        }

        double gravity() {
            return G * mass / (radius * radius);
        }
    }

    enum Empty { }

    static String size(Planet p) {
        switch (p) {
            case EARTH:
                return "large";
            case MARS:
                return "medium";
            default:
                return "small";
        }
    }

    public static void main(String[] args) {
        for (Planet p : Planet.values()) {
            System.out.println(p + " " + p.ordinal() + " " + p.name() + " " + size(p) + " " + (int) (p.gravity() * 1000));
        }
        System.out.println(Planet.count + " " + Empty.values().length);
        System.out.println(Planet.valueOf("MARS") == Planet.MARS);
        try {
            Planet.valueOf("PLUTO");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            Planet.valueOf(null);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Planet.EARTH.compareTo(Planet.MARS) + " " + Planet.EARTH.equals(Planet.EARTH) + " " + Planet.EARTH.getDeclaringClass().getSimpleName());
        Planet[] copy = Planet.values();
        copy[0] = null;
        System.out.println(Planet.values()[0]);
        try {
            size(null);
        } catch (NullPointerException e) {
            System.out.println("no switch on null");
        }
    }
}
