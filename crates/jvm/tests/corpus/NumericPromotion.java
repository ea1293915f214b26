/** Which type an expression has, seen through overloading. */
public class NumericPromotion {
    static String type(int x) {
        return "int";
    }

    static String type(long x) {
        return "long";
    }

    static String type(float x) {
        return "float";
    }

    static String type(double x) {
        return "double";
    }

    static String type(char x) {
        return "char";
    }

    static String type(byte x) {
        return "byte";
    }

    static String type(Object x) {
        return x.getClass().getSimpleName();
    }

    public static void main(String[] args) {
        byte b = 1;
        short s = 2;
        char c = '3';
        long l = 4;
        float f = 5;
        System.out.println(type(b) + type(s) + type(c) + type(b + b) + type(s + c) + type(c + l) + type(l + f) + type(f + 1.0));
        System.out.println(type(-b) + type(~c) + type(+s) + type(b << l) + type(l << b) + type((byte) (b + 1)));
        System.out.println(type(true ? b : c) + type(true ? 1 : 'a') + type(true ? b : 1.0f) + type(true ? 1 : "s"));
        Object o = true ? 1 : 2.0;
        System.out.println(o);
        Object p = true ? (Object) 1 : (Object) 2.0;
        System.out.println(p);
        Integer i = null;
        System.out.println(type(true ? (Integer) 7 : i));
    }
}
