import evergreen.Sym;

/** A journal: a mode, then many readings, then checks of what they came to. */
public class Journal {
    /** Reads {@code n} values. */
    public static int read(int n, int mode, int scale) {
        int factor = mode == 3 ? 2 : 1;
        if (scale > 10) {
            factor += scale > 100 ? 3 : 1;
        }
        if (mode == scale) {
            factor++;
        }
        int rising = 0;
        int falling = 0;
        int last = 0;
        int first = 0;
        for (int i = 0; i < n; i++) {
            int value = Sym.anInt("v" + i);
            if (i == 0) {
                first = value;
            } else if (value > last) {
                rising++;
            } else if (value < last) {
                falling++;
            }
            last = value;
        }
        int marks = factor;
        if (rising > falling) {
            marks++;
        }
        if (falling == 0) {
            marks += 2;
        }
        if (last == 77) {
            marks += mode == 5 ? 8 : 4;
        }
        if (last < first) {
            marks--;
        }
        if (first == scale && last > 1000) {
            marks = 0;
        }
        return marks;
    }
}
