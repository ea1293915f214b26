/** Left to right, always: operands, arguments, array accesses, assignments. */
public class EvaluationOrder {
    static StringBuilder log = new StringBuilder();
    static int[] array = {10, 20, 30};
    static int count;

    static int n(int x) {
        log.append(x);
        return x;
    }

    static int[] arr(String tag) {
        log.append(tag);
        return array;
    }

    static EvaluationOrder none(String tag) {
        log.append(tag);
        return null;
    }

    int f;

    static int fail(String tag) {
        log.append(tag);
        throw new IllegalStateException();
    }

    static void flush(Object o) {
        System.out.println(o + " " + log);
        log.setLength(0);
    }

    public static void main(String[] args) {
        flush(n(1) + n(2) * n(3) - n(4));
        flush(arr("a")[n(0)] + arr("b")[n(1)]);
        arr("a")[n(2)] = n(7) + arr("b")[n(2)];
        flush(array[2]);
        arr("c")[n(1)] += n(5);
        flush(array[1]);
        int i = 2;
        i = i++ * i-- + --i;
        flush(i);
        int j = 3;
        j += j++ + (j = 10) + j;
        flush(j);
        try {
            none("x").f = fail("y");
        } catch (IllegalStateException e) {
            flush("right side first");
        }
        try {
            none("x").f = n(5);
        } catch (NullPointerException e) {
            flush("then null");
        }
        try {
            ((int[]) null)[fail("i")] = n(1);
        } catch (IllegalStateException e) {
            flush("index before null");
        }
        try {
            arr("a")[n(9)] = fail("v");
        } catch (IllegalStateException e) {
            flush("value before bounds");
        }
        try {
            int d = n(1) / (n(0)) + fail("z");
        } catch (ArithmeticException e) {
            flush("division");
        }
        boolean b = n(1) == 1 || n(2) == 2 && n(3) == 3;
        flush(b);
        b = n(1) == 2 | n(2) == 2 & n(3) == 4;
        flush(b);
        flush(n(1) < n(2) ? n(3) : n(4));
        int k = 0;
        int[] a = {k++, k++, k++};
        flush(a[0] + a[1] * 10 + a[2] * 100 + k);
        k = 5;
        flush("" + k++ + ++k + k);
    }
}
