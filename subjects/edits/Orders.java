/** Orders: prices, stock, dates and codes, in methods that branch on their inputs. */
public class Orders {
    private static final int LIMIT = 500;

    public static int price(int amount, int unit) {
        if (amount < 0 || unit < 0 || amount > 1000 || unit > 1000) {
            return -1;
        }
        int sum = amount * 3 + unit * 2;
        if (sum > LIMIT) {
            return sum - 50;
        }
        if (amount > 2 * unit + 10) {
            return sum - 5;
        }
        return sum;
    }

    public static int stock(int have, int sold, int bought) {
        int left = have - sold + bought;
        if (have < 0 || sold < 0 || bought < 0 || have > 9999 || sold > 9999 || bought > 9999) {
            return -1;
        }
        if (left < 0) {
            return 0;
        }
        if (left > have) {
            return left - have;
        }
        return left;
    }

    public static int date(int day, int month) {
        if (month < 1 || month > 12 || day < 1) {
            return 0;
        }
        int length = 31;
        if (month == 2) {
            length = 28;
        } else if (month == 4 || month == 6 || month == 9 || month == 11) {
            length = 30;
        }
        return day <= length ? 1 : 0;
    }

    public static int code(int text) {
        int low = text & 0xff;
        int high = (text >>> 8) & 0xff;
        if ((low ^ high) == 0x5a) {
            return 1;
        }
        if ((low | high) == 0xff && low < high) {
            return 2;
        }
        return 0;
    }

    public static int rank(int[] marks) {
        if (marks == null || marks.length != 3) {
            return -1;
        }
        int best = 0;
        for (int i = 1; i < marks.length; i++) {
            if (marks[i] > marks[best]) {
                best = i;
            }
        }
        return best;
    }

    public static int steps(int from, int to) {
        int count = 0;
        while (from < to && count < 4) {
            from += 3;
            count++;
        }
        return count;
    }
}
