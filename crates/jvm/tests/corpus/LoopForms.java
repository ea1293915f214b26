import java.util.Iterator;
import java.util.List;

/** Enhanced for over arrays of each type and iterables; loops with odd headers. */
public class LoopForms {
    static int n;

    static int[] once() {
        n++;
        return new int[] {1, 2, 3};
    }

    public static void main(String[] args) {
        int t = 0;
        for (byte b : new byte[] {1, -1, 127}) {
            t += b;
        }
        for (char c : "ab".toCharArray()) {
            t += c;
        }
        for (long l : new long[] {1L << 33}) {
            t += l >> 30;
        }
        for (float f : new float[] {1.5f, 2.5f}) {
            t += f;
        }
        for (double d : new double[] {0.9, 0.9}) {
            t += d;
        }
        for (boolean z : new boolean[] {true, false, true}) {
            t += z ? 100 : 0;
        }
        for (int[] row : new int[][] {{1}, {}, {2, 3}}) {
            for (long v : row) {
                t += v;
            }
        }
        for (int x : once()) {
            t += x * n;
        }
        System.out.println(t + " " + n);
        Iterable<Integer> three = () -> List.of(7, 8, 9).iterator();
        for (int x : three) {
            System.out.print(x);
        }
        for (Integer x : List.of(1, 2, 3, 4)) {
            if (x == 2) {
                continue;
            }
            if (x == 4) {
                break;
            }
            System.out.print(x);
        }
        System.out.println();
        int i = 0;
        for (; i < 3; ) {
            i++;
        }
        for (int a = 1, b = 1; b < 50; b = a + b, a = b - a) {
            System.out.print(b + " ");
        }
        int k = 5;
        while (k-- > 0) {
            if (k == 2) {
                continue;
            }
            i += k;
        }
        do {
            i--;
            if (i % 5 == 0) {
                break;
            }
        } while (i > 0);
        System.out.println(i + " " + k);
        int[] changing = {1, 2, 3};
        for (int x : changing) {
            changing = new int[] {9};
            System.out.print(x);
        }
        int[] seen = {4, 5, 6};
        for (int x : seen) {
            seen[2] = 60;
            System.out.print(x);
        }
        System.out.println();
        for (Iterator<String> it = List.of("p", "q").iterator(); it.hasNext(); System.out.print(";")) {
            System.out.print(it.next());
        }
        try {
            for (int x : (int[]) null) {
                System.out.println(x);
            }
        } catch (NullPointerException e) {
            System.out.println("null array");
        }
    }
}
