public class Arms {
    static int sign(int x) {
        if (x < 0)
            return -1;
        return x == 0 ? 0 : 1;
    }

    static String table(int x) {
        switch (x) {
            case 1:
                return "one";
            case 2:
            case 4:
                return "two or four";
            default:
                return "other";
        }
    }

    static String lookup(int x) {
        switch (x) {
            case -1000:
                return "low";
            case 1000:
                return "high";
        }
        return "between";
    }

    static int loop(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++)
            sum += i;
        return sum;
    }

    static boolean same(Object a, Object b) {
        return a == b && a != null;
    }

    public static void main(String[] args) {
        System.out.println(sign(-5) + sign(0) + sign(7));
        System.out.println(table(1) + table(3) + table(4));
        System.out.println(lookup(1000) + lookup(0));
        System.out.println(loop(2));
        System.out.println(same(args, args) + " " + same(args, null) + " " + same(null, null));
    }
}
