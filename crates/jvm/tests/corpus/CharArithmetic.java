/** char is an unsigned number. */
public class CharArithmetic {
    public static void main(String[] args) {
        char c = 'a';
        System.out.println(c + 1);
        System.out.println((char) (c + 1));
        System.out.println('a' + 'b' + "c" + 'd' + 1);
        System.out.println((char) 98 + "" + (int) 'z');
        char max = '\uffff';
        max++;
        System.out.println((int) max);
        max--;
        System.out.println((int) max);
        for (char k = 'e'; k > 'a'; k -= 2) {
            System.out.print(k);
        }
        System.out.println();
        int digits = 0;
        for (char k : "2a7b9".toCharArray()) {
            if (k >= '0' && k <= '9') {
                digits = digits * 10 + (k - '0');
            }
        }
        System.out.println(digits);
        final char one = 1;
        byte b = one;
        System.out.println(b + (true ? 'x' : 0) + "" + (true ? "y" : 0));
        System.out.println(true ? 'x' : 0);
        int i = 0;
        System.out.println(true ? 'x' : i);
        System.out.println("caesar".chars().map(x -> (x - 'a' + 3) % 26 + 'a').sum());
        System.out.println('\t' + '\n' + '\\' + '\'' + '\0' + '\177');
    }
}
