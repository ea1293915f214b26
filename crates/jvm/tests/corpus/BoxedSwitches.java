/** Switches on boxed values, comparisons of boxed values with operators, boxed loop counters. */
public class BoxedSwitches {
    static String of(Integer i) {
        switch (i) {
            case 1:
                return "one";
            case 1000:
                return "thousand";
            default:
                return "other";
        }
    }

    static int letters(Character c) {
        return switch (c) {
            case 'a', 'e', 'i', 'o', 'u' -> 1;
            case 'y' -> 2;
            default -> 0;
        };
    }

    static Boolean maybe(int n) {
        return n == 0 ? null : n > 0;
    }

    public static void main(String[] args) {
        System.out.println(of(1) + of(1000) + of(Integer.valueOf(7)));
        int sum = 0;
        for (Character c = 'a'; c <= 'z'; c++) {
            sum += letters(c);
        }
        System.out.println(sum);
        Integer a = 1000;
        Integer b = 1000;
        System.out.println((a <= b) + " " + (a >= b) + " " + a.equals(b) + " " + (a < b) + " " + (a + 0 == b + 0));
        Long l = 5L;
        System.out.println((l == 5) + " " + l.equals(5) + " " + (l + a) + " " + (l > a ? l : a));
        Integer total = 0;
        for (Integer i = 0; i < 200; i += 7) {
            total += i;
        }
        System.out.println(total);
        if (maybe(1) && !maybe(-1)) {
            System.out.println("boxed conditions");
        }
        try {
            if (maybe(0)) {
                System.out.println("never");
            }
        } catch (NullPointerException e) {
            System.out.println("no answer");
        }
        try {
            of(null);
        } catch (NullPointerException e) {
            System.out.println("no number");
        }
        Byte y = 10;
        y++;
        Short s = (short) (y * 100);
        Float f = 1.5f;
        f *= 2;
        Double d = f * 2.0;
        System.out.println(y + " " + s + " " + f + " " + d + " " + (char) (letters('e') + 'x'));
        Object o = true ? 1 : Boolean.TRUE;
        System.out.println(o);
    }
}
