/** Numbers in English words, ordinals, and Roman numerals both ways. */
public class TextNumberWords {
    static final String[] ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
    static final String[] TENS = {"", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"};

    static String words(long n) {
        if (n < 0) {
            return "minus " + words(-n);
        }
        if (n < 20) {
            return ONES[(int) n];
        }
        if (n < 100) {
            return TENS[(int) n / 10] + (n % 10 == 0 ? "" : "-" + words(n % 10));
        }
        if (n < 1000) {
            return words(n / 100) + " hundred" + (n % 100 == 0 ? "" : " and " + words(n % 100));
        }
        String[] names = {"thousand", "million", "billion"};
        long unit = 1000;
        for (String name : names) {
            if (n < unit * 1000) {
                return words(n / unit) + " " + name + (n % unit == 0 ? "" : " " + words(n % unit));
            }
            unit *= 1000;
        }
        return "many";
    }

    static String ordinal(int n) {
        int t = n % 100;
        if (t >= 11 && t <= 13) {
            return n + "th";
        }
        switch (n % 10) {
            case 1:
                return n + "st";
            case 2:
                return n + "nd";
            case 3:
                return n + "rd";
            default:
                return n + "th";
        }
    }

    static String roman(int n) {
        String out = "";
        String[] signs = {"M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"};
        int[] values = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1};
        for (int i = 0; i < values.length; i++) {
            for (; n >= values[i]; n -= values[i]) {
                out += signs[i];
            }
        }
        return out;
    }

    public static void main(String[] args) {
        for (long n : new long[] {0, 13, 21, 100, 115, 999, 1000, 12345, 1000000, -7, 4000000019L, 1L << 50}) {
            System.out.println(words(n));
        }
        for (int i = 0; i < 24; i++) {
            System.out.print(ordinal(i) + " ");
        }
        System.out.println(ordinal(111) + " " + roman(1994) + " " + roman(3888) + " " + roman(4));
    }
}
