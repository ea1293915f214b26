/** Failing casts of classes, interfaces and arrays; null passes every cast. */
public class ExceptionClassCast {
    static class Animal { }

    static class Dog extends Animal implements Runnable {
        public void run() {
            System.out.println("runs");
        }
    }

    static void go(Runnable r) {
        try {
            r.run();
            System.out.println("ok");
        } catch (ClassCastException e) {
            String m = e.getMessage();
            System.out.println(m.substring(0, m.indexOf('(') < 0 ? m.length() : m.indexOf('(')));
        }
    }

    @SuppressWarnings("unchecked")
    public static void main(String[] args) {
        Animal a = new Animal();
        Animal d = new Dog();
        Object o = "text";
        go(() -> ((Dog) d).run());
        go(() -> ((Dog) a).run());
        go(() -> ((Runnable) d).run());
        go(() -> ((Runnable) a).run());
        go(() -> System.out.println(((Integer) o) + 1));
        go(() -> System.out.println(((Object[]) (Object) new int[1]).length));
        go(() -> System.out.println(((int[]) (Object) new int[2]).length));
        go(() -> System.out.println(((Animal[]) new Dog[3]).length));
        go(() -> System.out.println(((Dog[]) new Animal[3]).length));
        go(() -> System.out.println((Comparable<String>) o));
        go(() -> System.out.println((Cloneable) (Object) new int[0] != null));
        go(() -> System.out.println((String) null));
        go(() -> {
            java.util.List<Integer> list = (java.util.List<Integer>) (Object) java.util.Arrays.asList("x");
            int n = list.get(0);
        });
        try {
            Object x = Animal.class.cast("s");
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
    }
}
