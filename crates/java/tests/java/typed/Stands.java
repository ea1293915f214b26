package typed;

/** Objects of interfaces with several methods: each method has as many paths as the test says. */
public class Stands {
    /** No class implements it. */
    public interface Stock {
        int price(int item);

        boolean has(int item);

        String name(int item);

        void sold(int item);

        default boolean isCheap(int item) {
            return price(item) < 10;
        }
    }

    /** Two interfaces above it declare the same method. */
    public interface Sized {
        int size();
    }

    public interface Counted {
        int size();
    }

    public interface Bag extends Sized, Counted {
        long weight();
    }

    /** The only class below it needs another one, which needs another one. */
    public interface Source {
        int next();

        int left();
    }

    public static final class Twice implements Source {
        private final Source below;

        public Twice(Source below) {
            if (below == null) throw new IllegalArgumentException();
            this.below = below;
        }

        @Override
        public int next() {
            return 2 * below.next();
        }

        @Override
        public int left() {
            return below.left();
        }
    }

    /** What a mock answers, and whose answers are mocks of their own. */
    public interface People {
        Person find(int id);

        Node first();
    }

    public interface Node {
        Node next();

        int value();
    }

    public static final class Person {
        private final int age;

        public Person(int age) {
            this.age = age;
        }
    }

    /** A register gets persons from a mock. */
    public static final class Register {
        private final People people;

        public Register(People people) {
            this.people = java.util.Objects.requireNonNull(people);
        }

        public int isOld(int id) {
            Person person = people.find(id);
            return person == null ? -1 : person.age > 70 ? 1 : 0;
        }

        /** A node of a node is null. */
        public int sum() {
            int sum = 0;
            for (Node node = people.first(); node != null; node = node.next()) sum += node.value();
            return sum > 10 ? 1 : 0;
        }
    }

    /** A shop needs a stock. */
    public static final class Shop {
        private final Stock stock;
        private int sum;

        public Shop(Stock stock) {
            this.stock = java.util.Objects.requireNonNull(stock);
        }

        public int sell(int item) {
            if (!stock.has(item)) return -1;
            stock.sold(item);
            sum += stock.price(item);
            return stock.price(item) == 7 ? 1 : 0;
        }
    }

    /** What two methods answer for the same item is independent; one method answers the same twice. */
    public static int both(Stock stock, int item) {
        if (stock.price(item) != stock.price(item)) return -1;
        if (stock.has(item)) return stock.price(item) == 3 ? 1 : 2;
        return stock.isCheap(item) ? 3 : 4;
    }

    /** It is never called. */
    public static boolean isShop(Stock stock) {
        return (Object) stock instanceof Shop;
    }

    public static int named(Stock stock) {
        String name = stock.name(1);
        if (name == null) return 0;
        return name == stock.name(1) ? 1 : 2;
    }

    public static boolean bag(Bag bag) {
        return bag.size() > bag.weight();
    }

    public static int reads(Source source) {
        return source.left() > 0 && source.next() > 100 ? 1 : 0;
    }
}
