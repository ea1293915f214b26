/** Pseudo random numbers by hand: LCG, xorshift, PCG; shuffles, reservoir samples, histograms. */
public class AlgoShuffleSample {
    static long state = 88172645463325252L;

    static long xorshift() {
        state ^= state << 13;
        state ^= state >>> 7;
        state ^= state << 17;
        return state;
    }

    static int below(int n) {
        return (int) Long.remainderUnsigned(xorshift(), n);
    }

    static long pcg = 0x853c49e6748fea9bL;

    static int pcg() {
        long old = pcg;
        pcg = old * 6364136223846793005L + 0xda3e39cb94b95bdbL;
        int x = (int) ((old >>> 18 ^ old) >>> 27);
        int rot = (int) (old >>> 59);
        return x >>> rot | x << (-rot & 31);
    }

    public static void main(String[] args) {
        int[] a = new int[12];
        for (int i = 0; i < a.length; i++) {
            a[i] = i;
        }
        for (int i = a.length - 1; i > 0; i--) {
            int j = below(i + 1);
            int t = a[i];
            a[i] = a[j];
            a[j] = t;
        }
        StringBuilder sb = new StringBuilder();
        for (int v : a) {
            sb.append(Character.forDigit(v, 16));
        }
        System.out.println(sb);
        int[] sample = new int[4];
        for (int i = 0; i < 100; i++) {
            if (i < 4) {
                sample[i] = i;
            } else {
                int j = below(i + 1);
                if (j < 4) {
                    sample[j] = i;
                }
            }
        }
        System.out.println(sample[0] + " " + sample[1] + " " + sample[2] + " " + sample[3]);
        int[] hist = new int[8];
        for (int i = 0; i < 800; i++) {
            hist[pcg() >>> 29]++;
        }
        for (int h : hist) {
            System.out.print(h + " ");
        }
        System.out.println();
        int lcg = 1;
        for (int i = 0; i < 1000; i++) {
            lcg = lcg * 1664525 + 1013904223;
        }
        System.out.println(lcg + " " + xorshift());
    }
}
