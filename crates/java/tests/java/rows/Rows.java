package rows;

import evergreen.Sym;
import java.util.Arrays;

/** Arrays as inputs: what looks at them, and how. */
public class Rows {
    /* Nobody looks. */

    public static int ignored(int[] a) {
        return 7;
    }

    public static Object passedOn(int[][] a) {
        return a;
    }

    public static int ignoredTexts(String[] a, char[] b) {
        return a == null ? 1 : 2;
    }

    /* Methods of an array and a number, for every input of a small range. */

    public static int first(int[] a, int x) {
        return a[0] > x ? 1 : 2;
    }

    public static int second(int[] a, int x) {
        return a.length > 1 && a[1] == x ? 1 : 2;
    }

    public static int sum(int[] a, int x) {
        int sum = 0;
        for (int each : a) {
            sum += each;
        }
        return sum > x ? 1 : 2;
    }

    public static int backwards(int[] a, int x) {
        for (int i = a.length - 1; i >= 0; i--) {
            if (a[i] == x) {
                return i;
            }
        }
        return -1;
    }

    public static int anyIndex(int[] a, int x) {
        return a[x] > 0 ? 1 : 2;
    }

    public static int anyStore(int[] a, int x) {
        int before = a[0];
        a[x] = before + 1;
        return a[0] == before ? 1 : 2;
    }

    public static int middle(int[] a, int x) {
        return a[a.length / 2] > x ? 1 : 2;
    }

    public static int overwritten(int[] a, int x) {
        a[0] = x;
        return a[0] + a[a.length - 1];
    }

    public static int copies(int[] a, int x) {
        int[] b = a.clone();
        int[] c = Arrays.copyOf(a, a.length + 1);
        b[0] = x;
        System.arraycopy(a, 0, c, 1, a.length);
        return Arrays.equals(a, b) ? c[1] : c[c.length - 1];
    }

    public static int made(int[] a, int x) {
        int[] b = new int[a.length];
        for (int i = 0; i < a.length; i++) {
            b[a.length - 1 - i] = a[i];
        }
        return b.length > 0 && b[0] > x ? 1 : 2;
    }

    public static int sorted(int[] a, int x) {
        Arrays.sort(a);
        return a[0] > x ? 1 : a.length;
    }

    public static int printed(int[] a, int x) {
        return Arrays.toString(a).length() + Arrays.hashCode(a) + x;
    }

    public static int counted(int[] a, int x) {
        switch (a.length) {
            case 0:
                return x;
            case 2:
                return a[0] < a[1] ? 1 : 2;
            default:
                return 100 / a[0];
        }
    }

    public static int caught(int[] a, int x) {
        try {
            return a[x];
        } catch (ArrayIndexOutOfBoundsException e) {
            return e.getMessage().length() > 40 ? -2 : -1;
        } finally {
            a = null;
        }
    }

    public static int shared(int[] a, int x) {
        int[] b = x > 0 ? a : new int[] {1, 2};
        b[1] = 5;
        return a.length > 1 ? a[1] : 0;
    }

    public static int squared(int[] a, int x) {
        int count = 0;
        for (int i = 0; i < a.length; i++) {
            for (int j = i + 1; j < a.length; j++) {
                if (a[i] > a[j]) {
                    int t = a[i];
                    a[i] = a[j];
                    a[j] = t;
                    count++;
                }
            }
        }
        return count;
    }

    public static int wide(int[] a, int x) {
        int[][] b = new int[a.length][x + 1];
        return b.length > 0 ? b[0].length : -1;
    }

    /* Other elements. */

    public static int texts(String[] a) {
        if (a.length > 1 && "x".equals(a[1])) {
            return 1;
        }
        return a.length > 0 && a[0] == null ? 2 : 3;
    }

    public static int letters(char[] a) {
        return new String(a).equals("ab") ? 1 : 2;
    }

    public static int rows(int[][] a) {
        return a[1].length == 2 && a[1][0] > a[1][1] ? 1 : 2;
    }

    public static int replaced(String[] a) {
        String old = a[0];
        a[0] = "new";
        return old == null ? 1 : old.isEmpty() ? 2 : 3;
    }

    public static String[] cloned(String[] a) {
        String[] b = a.clone();
        b[0] = "b";
        return b;
    }

    public static int boxes(Integer[] a) {
        return a[0] > 3 ? 1 : 2;
    }

    /* Drivers. */

    public static int drawnNumbers() {
        int[] a = Sym.anArrayOfInts("a");
        if (a.length > 1) {
            a[0] = 4;
            return a[0] > a[1] ? 1 : 2;
        }
        return 3;
    }

    public static int drawnTexts() {
        String[] a = Sym.anArrayOfStrings("a");
        return a.length == 0 ? 0 : a[0] == null ? 1 : 2;
    }

    public static int drawnKinds() {
        byte[] b = Sym.anArrayOfBytes("b");
        char[] c = Sym.anArrayOfChars("c");
        long[] l = Sym.anArrayOfLongs("l");
        boolean[] z = Sym.anArrayOfBooleans("z");
        short[] s = Sym.anArrayOfShorts("s");
        float[] f = Sym.anArrayOfFloats("f");
        double[] d = Sym.anArrayOfDoubles("d");
        int score = s.length == 1 ? 1 : 0;
        score += l.length == 1 && l[0] > 5_000_000_000L ? 2 : 0;
        return score;
    }
}
