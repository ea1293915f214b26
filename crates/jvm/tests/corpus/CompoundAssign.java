/** Compound assignment: the hidden cast, and each side evaluated once. */
public class CompoundAssign {
    static int calls;
    static int[] cells = {10, 20, 30};

    static int next() {
        return calls++;
    }

    public static void main(String[] args) {
        byte b = 120;
        b += 10;
        System.out.println(b);
        b -= 300;
        System.out.println(b);
        short s = 1000;
        s *= 100;
        System.out.println(s);
        char c = 'a';
        c += 1.7;
        System.out.println(c);
        c++;
        System.out.println(c);
        int i = 10;
        i *= 2.55;
        System.out.println(i);
        i /= 0.3f;
        System.out.println(i);
        i -= 3_000_000_000L;
        System.out.println(i);
        long l = 5;
        l += 0.99;
        l <<= 3;
        l %= 7;
        System.out.println(l);
        cells[next()] += next() * 100;
        cells[next()] <<= 1;
        System.out.println(cells[0] + " " + cells[1] + " " + cells[2] + " calls " + calls);
        int k = 1;
        k = k++ + ++k;
        System.out.println(k);
        k += k++ * 2 + k;
        System.out.println(k);
        String text = "n=";
        text += 1 + 2;
        text += 'c';
        text += 1.5f;
        System.out.println(text);
        byte wrap = Byte.MAX_VALUE;
        wrap++;
        System.out.println(wrap);
        float f = 1;
        f += 1e10;
        System.out.println((long) f);
        Integer boxed = 5;
        boxed += 6;
        boxed++;
        System.out.println(boxed);
    }
}
