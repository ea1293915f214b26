/** Compound assignment to array elements with side effects in the index: strings, longs, doubles, chars, boxes. */
public class CompoundInArrays {
    static int i;

    static int[] order = new int[8];
    static int at;

    static int idx(int k) {
        order[at++] = k;
        return k;
    }

    public static void main(String[] args) {
        String[] s = {"a", "b", "c"};
        s[i++] += "x";
        s[i++] += i;
        s[idx(2)] += s[idx(0)] + idx(1);
        System.out.println(s[0] + s[1] + s[2] + i + at);
        long[] l = {1, 2, 3};
        l[idx(1)] += l[idx(2)]++ * 10;
        l[--i] <<= 40;
        l[0] ^= ~0L;
        System.out.println(l[0] + " " + l[1] + " " + l[2] + " " + i);
        double[] d = {1, 2};
        d[i - 1] /= d[i] -= 1.5;
        d[1]++;
        System.out.println(d[0] + " " + d[1]);
        char[] c = {'a', 'b'};
        c[0] += c[1]++ - 'a';
        c[1] -= 32;
        System.out.println(c);
        Integer[] boxes = {1, 2, 3};
        boxes[i] += boxes[i + 1]--;
        boxes[0]++;
        System.out.println(boxes[0] + "" + boxes[1] + boxes[2]);
        int[][] g = {{1, 2}, {3, 4}};
        g[g[0][0]][g[0][0] = 0] += 10;
        g[1][1] *= g[1][0] %= 5;
        System.out.println(g[0][0] + " " + g[1][0] + " " + g[1][1]);
        boolean[] z = {true, false};
        z[1] |= z[0] &= !z[1];
        System.out.println(z[0] + " " + z[1]);
        byte[] b = {100};
        b[0] += b[0] += 100;
        System.out.println(b[0]);
        for (int k = 0; k < at; k++) {
            System.out.print(order[k]);
        }
        System.out.println();
        Object[] os = {"p"};
        os[0] += "q";
        System.out.println(os[0]);
        try {
            s[5] += fail();
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }

    static String fail() {
        System.out.println("evaluated");
        return "";
    }
}
