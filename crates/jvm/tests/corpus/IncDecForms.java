/** Prefix and postfix steps on locals, fields, statics and array elements of each type. */
public class IncDecForms {
    static long counter = Long.MAX_VALUE;
    short small = -1;
    double real = 0.5;

    public static void main(String[] args) {
        int i = 5;
        System.out.println(i++ + i++ + --i - i--);
        System.out.println(counter++ + " " + counter + " " + --counter);
        IncDecForms o = new IncDecForms();
        System.out.println(o.small++ + " " + ++o.small + " " + o.small--);
        System.out.println(o.real++ + " " + --o.real);
        char[] cs = {'x', 'y'};
        System.out.println(cs[0]++ + "" + cs[0] + --cs[1]);
        long[] ls = {1L << 62};
        ls[0] *= 2;
        System.out.println(ls[0]-- + " " + ls[0]);
        float[] fs = {1f};
        System.out.println(++fs[0] + fs[0]++);
        int big = 0;
        big += 40000;
        big -= 70000;
        System.out.println(big);
        for (int a = 0, b = 10; a < b; a++, b -= 2) {
            System.out.print(a + ":" + b + " ");
        }
        System.out.println();
    }
}
