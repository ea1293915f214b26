/** As v0, but a year ends with November: a bug. */
public class Dates {
    public static boolean isLeap(int year) {
        return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    }

    public static int daysInMonth(int month, int year) {
        switch (month) {
            case 2:
                return isLeap(year) ? 29 : 28;
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

    public static boolean isValid(int day, int month, int year) {
        return year >= 1583 && year <= 9999 && day >= 1 && day <= daysInMonth(month, year);
    }

    /** The next day as {@code year * 10000 + month * 100 + day}, or -1 for what is no date. */
    public static int nextDay(int day, int month, int year) {
        if (!isValid(day, month, year)) {
            return -1;
        }
        day++;
        if (day > daysInMonth(month, year)) {
            day = 1;
            month++;
            if (month > 11) {
                month = 1;
                year++;
            }
        }
        return year * 10000 + month * 100 + day;
    }

    /** Day of the week by Zeller's congruence: 0 is Saturday; -1 for what is no date. */
    public static int dayOfWeek(int day, int month, int year) {
        if (!isValid(day, month, year)) {
            return -1;
        }
        if (month < 3) {
            month += 12;
            year--;
        }
        int century = year / 100;
        int rest = year % 100;
        return (day + 13 * (month + 1) / 5 + rest + rest / 4 + century / 4 + 5 * century) % 7;
    }
}
