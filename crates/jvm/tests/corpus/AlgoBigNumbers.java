/** Big numbers by hand: factorial and Fibonacci in arrays of digits. */
public class AlgoBigNumbers {
    static int[] multiply(int[] digits, int by) {
        int[] out = new int[digits.length + 3];
        long carry = 0;
        int used = 0;
        for (int i = 0; i < out.length; i++) {
            carry += i < digits.length ? (long) digits[i] * by : 0;
            out[i] = (int) (carry % 10);
            carry /= 10;
            if (out[i] != 0) {
                used = i + 1;
            }
        }
        int[] cut = new int[Math.max(used, 1)];
        System.arraycopy(out, 0, cut, 0, cut.length);
        return cut;
    }

    static String text(int[] digits) {
        StringBuilder sb = new StringBuilder();
        for (int d : digits) {
            sb.append(d);
        }
        return sb.reverse().toString();
    }

    static String add(String a, String b) {
        StringBuilder sb = new StringBuilder();
        int carry = 0;
        for (int i = a.length() - 1, j = b.length() - 1; i >= 0 || j >= 0 || carry > 0; i--, j--) {
            int sum = carry + (i >= 0 ? a.charAt(i) - '0' : 0) + (j >= 0 ? b.charAt(j) - '0' : 0);
            sb.append((char) ('0' + sum % 10));
            carry = sum / 10;
        }
        return sb.reverse().toString();
    }

    public static void main(String[] args) {
        int[] f = {1};
        for (int i = 2; i <= 30; i++) {
            f = multiply(f, i);
        }
        System.out.println(text(f));
        String a = "0";
        String b = "1";
        for (int i = 0; i < 100; i++) {
            String t = add(a, b);
            a = b;
            b = t;
        }
        System.out.println(a);
    }
}
