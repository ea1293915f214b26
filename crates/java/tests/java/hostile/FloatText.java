// int a 0 2
final class FloatText {
    static int run(int a) {
        double d = a == 0 ? 0.1 : a == 1 ? 1e21 : -0.0;
        return ("" + d + (float) d).hashCode() + Double.toString(d).length();
    }
}
