/** Full texts of failing casts: who cannot be what, and where the classes live. */
public class ExceptionCastMessages {
    static class Cat { }

    interface Pet { }

    static Object of(int k) {
        switch (k) {
            case 0:
                return "text";
            case 1:
                return new Cat();
            case 2:
                return new int[0];
            case 3:
                return new Cat[0];
            case 4:
                return 5;
            default:
                return new String[0][0];
        }
    }

    static void tell(int k, Runnable r) {
        try {
            r.run();
            System.out.println("passed");
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) {
        tell(0, () -> { Integer i = (Integer) of(0); });
        tell(0, () -> { Cat c = (Cat) of(0); });
        tell(1, () -> { String s = (String) of(1); });
        tell(1, () -> { Pet p = (Pet) of(1); });
        tell(2, () -> { long[] l = (long[]) of(2); });
        tell(2, () -> { Object[] o = (Object[]) of(2); });
        tell(3, () -> { Pet[] p = (Pet[]) of(3); });
        tell(3, () -> { Object[] o = (Object[]) of(3); });
        tell(4, () -> { Comparable<?> c = (Comparable<?>) of(4); });
        tell(4, () -> { int n = (Short) of(4); });
        tell(5, () -> { Integer[][] n = (Integer[][]) of(5); });
    }
}
