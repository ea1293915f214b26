/** while, do, for, nested loops with continue and break. */
public class ControlLoops {
    public static void main(String[] args) {
        int n = 27;
        int steps = 0;
        while (n != 1) {
            n = n % 2 == 0 ? n / 2 : 3 * n + 1;
            steps++;
        }
        System.out.println(steps);
        int k = 10;
        do {
            System.out.print(k + " ");
            k -= 3;
        } while (k > 0);
        System.out.println(k);
        for (int i = 0; ; i++) {
            if (i % 2 == 1) {
                continue;
            }
            if (i > 8) {
                break;
            }
            System.out.print(i);
        }
        System.out.println();
        boolean[] composite = new boolean[60];
        for (int p = 2; p < composite.length; p++) {
            if (composite[p]) {
                continue;
            }
            System.out.print(p + " ");
            for (int m = p * p; m < composite.length; m += p) {
                composite[m] = true;
            }
        }
        System.out.println();
        int total = 0;
        for (int i = 0, j = 20; i < j; i += 3, j--) {
            total += i * j;
        }
        System.out.println(total);
        do {
            total++;
            if (total % 7 == 0) {
                break;
            }
        } while (true);
        System.out.println(total);
        for (int v : new int[0]) {
            System.out.println("never " + v);
        }
    }
}
