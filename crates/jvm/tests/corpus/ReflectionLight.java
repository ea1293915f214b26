/** The bits of reflection that plain programs use: names, superclasses, isInstance, arrays. */
public class ReflectionLight {
    static class Inner { }

    interface Face { }

    enum Kind { ONE }

    @SuppressWarnings("unchecked")
    static <T> T[] make(Class<T> c, int n) {
        return (T[]) java.lang.reflect.Array.newInstance(c, n);
    }

    public static void main(String[] args) {
        Class<?>[] cs = {int.class, String.class, Inner.class, Face.class, Kind.class, int[].class, String[][].class, Runnable.class, void.class};
        for (Class<?> c : cs) {
            System.out.println(c.getName() + " " + c.getSimpleName() + " " + c.isPrimitive() + c.isArray() + c.isInterface() + c.isEnum() + " " + c);
        }
        System.out.println(String.class.isInstance("x") + " " + Number.class.isAssignableFrom(Integer.class) + " " + Integer.class.isAssignableFrom(Number.class) + " " + Object.class.getSuperclass());
        System.out.println(int[].class.getComponentType() + " " + new Inner().getClass().equals(Inner.class) + " " + ("a".getClass() == String.class));
        String[] made = make(String.class, 3);
        made[0] = "in";
        System.out.println(made.length + made[0] + made.getClass().getSimpleName());
        System.out.println(Inner.class.getSuperclass().getName() + " " + Kind.ONE.getClass().getSuperclass().getName() + " " + int[].class.getSuperclass().getName());
        System.out.println(Integer.class.cast(5) + " " + (Integer.TYPE == int.class) + " " + Integer[].class.getName());
        System.out.println(new int[0].getClass().getName() + new boolean[0].getClass().getName() + new long[0][0].getClass().getName() + new Inner[0].getClass().getName());
        System.out.println(Inner.class.getPackageName().isEmpty() + " " + Inner.class.isAnonymousClass() + " " + Inner.class.hashCode() / Integer.MAX_VALUE / 2);
    }
}
