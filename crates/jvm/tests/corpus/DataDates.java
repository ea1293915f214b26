/** Calendar arithmetic by hand: leap years, day numbers, weekdays, Easter. */
public class DataDates {
    static boolean leap(int y) {
        return y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);
    }

    static final int[] DAYS = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    static long number(int y, int m, int d) {
        y -= m <= 2 ? 1 : 0;
        long era = Math.floorDiv(y, 400);
        int yoe = (int) (y - era * 400);
        int doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
        return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
    }

    static String date(long n) {
        n += 719468;
        long era = Math.floorDiv(n, 146097L);
        int doe = (int) (n - era * 146097);
        int yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
        int doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
        int mp = (5 * doy + 2) / 153;
        int m = mp < 10 ? mp + 3 : mp - 9;
        return yoe + era * 400 + (m <= 2 ? 1 : 0) + "-" + m + "-" + (doy - (153 * mp + 2) / 5 + 1);
    }

    static String easter(int y) {
        int a = y % 19;
        int b = y / 100;
        int c = y % 100;
        int h = (19 * a + b - b / 4 - (b - (b + 8) / 25 + 1) / 3 + 15) % 30;
        int l = (32 + 2 * (b % 4) + 2 * (c / 4) - h - c % 4) % 7;
        int m = (a + 11 * h + 22 * l) / 451;
        int k = h + l - 7 * m + 114;
        return k / 31 + "/" + (k % 31 + 1);
    }

    public static void main(String[] args) {
        System.out.println(leap(1900) + " " + leap(2000) + " " + leap(2023) + " " + leap(2024));
        for (int[] d : new int[][] {{1970, 1, 1}, {2000, 2, 29}, {1969, 12, 31}, {2024, 12, 25}, {1, 1, 1}, {-1, 3, 1}}) {
            long n = number(d[0], d[1], d[2]);
            System.out.println(n + " " + date(n) + " weekday " + Math.floorMod(n + 4, 7));
        }
        long n = number(1999, 12, 30);
        for (int i = 0; i < 5; i++) {
            System.out.print(date(n + i * 20) + " ");
        }
        System.out.println(easter(2024) + " " + easter(2000) + " " + easter(1961));
        int total = 0;
        for (int m = 0; m < 12; m++) {
            total += DAYS[m] + (m == 1 && leap(2024) ? 1 : 0);
        }
        System.out.println(total);
    }
}
