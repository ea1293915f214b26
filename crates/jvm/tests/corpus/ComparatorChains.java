import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Comparators: comparing, thenComparing, reversed, nullsFirst, natural order. */
public class ComparatorChains {
    static class Person {
        final String name;
        final int age;
        final Double height;

        Person(String name, int age, Double height) {
            this.name = name;
            this.age = age;
            this.height = height;
        }

        String getName() {
            return name;
        }

        @Override
        public String toString() {
            return name + age;
        }
    }

    public static void main(String[] args) {
        List<Person> people = new ArrayList<>();
        people.add(new Person("Cy", 30, 1.8));
        people.add(new Person("Al", 25, null));
        people.add(new Person("Bo", 30, 1.6));
        people.add(new Person("Al", 40, 1.7));
        people.sort(Comparator.comparing(Person::getName));
        System.out.println(people);
        people.sort(Comparator.comparingInt((Person p) -> p.age).reversed().thenComparing(Person::getName));
        System.out.println(people);
        people.sort(Comparator.comparing((Person p) -> p.height, Comparator.nullsFirst(Comparator.naturalOrder())));
        System.out.println(people);
        people.sort((a, b) -> 0);
        System.out.println(people);
        Comparator<String> c = Comparator.<String>naturalOrder().reversed();
        System.out.println(c.compare("a", "b") + " " + Comparator.comparingDouble(Double::parseDouble).compare("1.5", "1.25"));
        System.out.println(people.stream().max(Comparator.comparingLong(p -> p.age)).get());
    }
}
