/** Larger switches: dense tables with holes, char ranges, negative bases, default first, nested. */
public class SwitchTables {
    static int table(int x) {
        switch (x) {
            default: return -1;
            case -3: return 10;
            case -2: return 11;
            case -1: return 12;
            case 0: return 13;
            case 1: return 14;
            case 3: return 16;
            case 4: return 17;
            case 6: return 19;
            case 8: return 21;
            case 9: return 22;
        }
    }

    static String roman(char c) {
        switch (c) {
            case 'I': return "1";
            case 'V': return "5";
            case 'X': return "10";
            case 'L': return "50";
            case 'C': return "100";
            case 'D': return "500";
            case 'M': return "1000";
        }
        return "?";
    }

    static int nested(int a, int b) {
        int r = 0;
        switch (a) {
            case 1:
                switch (b) {
                    case 1: r += 1; break;
                    case 2: r += 2;
                    default: r += 4;
                }
                r += 8;
            case 2:
                r += 16;
                break;
            case 3:
                for (int i = 0; i < 5; i++) {
                    switch (i) {
                        case 2: continue;
                        case 4: break;
                        default: r += i;
                    }
                    r += 100;
                }
        }
        return r;
    }

    static int wrap(int x) {
        switch (x) {
            case 2147483646: return 1;
            case 2147483647: return 2;
            case -2147483648: return 3;
            case -2147483647: return 4;
            default: return 0;
        }
    }

    public static void main(String[] args) {
        for (int i = -5; i < 12; i++) {
            System.out.print(table(i) + " ");
        }
        System.out.println(table(Integer.MAX_VALUE) + " " + table(Integer.MIN_VALUE));
        for (char c : "MDCLXVIZ".toCharArray()) {
            System.out.print(roman(c) + " ");
        }
        System.out.println();
        for (int a = 0; a < 4; a++) {
            for (int b = 0; b < 3; b++) {
                System.out.print(nested(a, b) + " ");
            }
        }
        System.out.println();
        for (int x : new int[] {2147483646, 2147483647, -2147483648, -2147483647, 0}) {
            System.out.print(wrap(x));
        }
        System.out.println();
    }
}
