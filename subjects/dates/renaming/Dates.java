/** As v0, with other names of helpers and variables. */
public class Dates {
    public static boolean hasLeapDay(int year) {
        return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    }

    public static int length(int month, int year) {
        switch (month) {
            case 2:
                return hasLeapDay(year) ? 29 : 28;
            case 4:
            case 6:
            case 9:
            case 11:
                return 30;
            case 1:
            case 3:
            case 5:
            case 7:
            case 8:
            case 10:
            case 12:
                return 31;
            default:
                return 0;
        }
    }

    public static boolean exists(int day, int month, int year) {
        return year >= 1583 && year <= 9999 && day >= 1 && day <= length(month, year);
    }

    /** The next day as {@code year * 10000 + month * 100 + day}, or -1 for what is no date. */
    public static int nextDay(int day, int month, int year) {
        if (!exists(day, month, year)) {
            return -1;
        }
        day++;
        if (day > length(month, year)) {
            day = 1;
            month++;
            if (month > 12) {
                month = 1;
                year++;
            }
        }
        return year * 10000 + month * 100 + day;
    }

    /** Day of the week by Zeller's congruence: 0 is Saturday; -1 for what is no date. */
    public static int dayOfWeek(int day, int month, int year) {
        if (!exists(day, month, year)) {
            return -1;
        }
        if (month < 3) {
            month += 12;
            year--;
        }
        int hundreds = year / 100;
        int years = year % 100;
        return (day + 13 * (month + 1) / 5 + years + years / 4 + hundreds / 4 + 5 * hundreds) % 7;
    }
}
