/** Boxing: identity of small values, equality, unboxing in expressions. */
public class BoxingCaches {
    public static void main(String[] args) {
        Integer a = 127;
        Integer b = 127;
        Integer c = 128;
        Integer d = 128;
        System.out.println((a == b) + " " + c.equals(d) + " " + (c >= d && c <= d) + " " + (c == 128));
        Long l = 100L;
        Long m = 100L;
        System.out.println((l == m) + " " + l.equals(100) + " " + l.equals(100L) + " " + (l == 100));
        Character x = 'a';
        Character y = 'a';
        Boolean t = true;
        Byte by = 5;
        Short sh = -128;
        System.out.println((x == y) + " " + (t == Boolean.TRUE) + " " + (by == Byte.valueOf((byte) 5)) + " " + (sh == Short.valueOf((short) -128)));
        int sum = a + c;
        Integer n = sum;
        n++;
        n += 2;
        System.out.println(n + " " + (n == 258) + " " + -n);
        Object o = 5;
        System.out.println((o instanceof Integer) + " " + o.equals(5) + " " + o.equals(5L) + " " + ((int) o + 1));
        double dd = a;
        Double boxed = 1.5;
        System.out.println(dd + boxed + a);
        Object[] mixed = {1, 2L, 3f, 4.0, 'c', true, (byte) 6, (short) 7};
        for (Object v : mixed) {
            System.out.print(v.getClass().getSimpleName() + "=" + v + " ");
        }
        System.out.println();
        java.util.List<Integer> list = new java.util.ArrayList<>();
        list.add(10);
        list.add(20);
        list.add(1);
        list.remove(1);
        list.remove(Integer.valueOf(1));
        System.out.println(list);
        Integer none = null;
        try {
            int bad = none + 1;
            System.out.println(bad);
        } catch (NullPointerException e) {
            System.out.println("unboxed null");
        }
        boolean flag = false;
        Integer z = flag ? 1 : Integer.valueOf(1000);
        System.out.println(z + " " + new StringBuilder().append(z).append(x));
        System.out.println(Integer.valueOf(77).hashCode() + Long.valueOf(1L << 32).hashCode() + Boolean.TRUE.hashCode() + x.hashCode());
        System.out.println(a.compareTo(c) + " " + Integer.compare(3, 2) + " " + Boolean.compare(true, false) + " " + x.compareTo('c'));
    }
}
