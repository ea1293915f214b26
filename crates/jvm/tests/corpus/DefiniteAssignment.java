/** Locals assigned on every way: branches, loops, switches, try, final locals and fields. */
public class DefiniteAssignment {
    final int a;
    final String b;

    DefiniteAssignment(int k) {
        if (k > 0) {
            a = k;
        } else {
            a = -k;
        }
        switch (k % 3) {
            case 0:
                b = "zero";
                break;
            case 1:
                b = "one";
                break;
            default:
                b = "else";
        }
    }

    static int pick(int k) {
        final int x;
        int y;
        if (k > 5 && (y = k * 2) > 13) {
            x = y;
        } else {
            x = -1;
        }
        int z;
        do {
            z = k++;
        } while (z < 3);
        boolean neg;
        try {
            neg = Integer.parseInt("" + (4 - k)) < 0;
        } catch (NumberFormatException e) {
            neg = true;
        }
        long w;
        while (true) {
            w = x + z;
            if (w != 0) {
                break;
            }
            k++;
            return k;
        }
        return (int) w + (neg ? 1000 : 0);
    }

    static String ways(boolean p, boolean q) {
        String s;
        if (p) {
            if (q) {
                s = "pq";
            } else {
                return "p";
            }
        } else if (q) {
            throw new IllegalArgumentException("q");
        } else {
            s = "none";
        }
        final char c = s.charAt(0);
        Runnable r = () -> System.out.print(c);
        r.run();
        return s;
    }

    public static void main(String[] args) {
        for (int k = -2; k < 4; k++) {
            DefiniteAssignment d = new DefiniteAssignment(k);
            System.out.print(d.a + d.b + " ");
        }
        System.out.println();
        for (int k = 0; k < 10; k++) {
            System.out.print(pick(k) + " ");
        }
        System.out.println();
        System.out.println(ways(true, true) + ways(true, false) + ways(false, false));
        try {
            ways(false, true);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
