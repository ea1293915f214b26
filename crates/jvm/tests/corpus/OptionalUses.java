import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalInt;

/** Optional: map, flatMap, filter, orElse, failures. */
public class OptionalUses {
    static Optional<Integer> parse(String s) {
        try {
            return Optional.of(Integer.parseInt(s));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    public static void main(String[] args) {
        System.out.println(parse("12") + " " + parse("x") + " " + parse("5").map(x -> x * 2) + " " + parse("7").filter(x -> x > 10));
        System.out.println(parse("x").orElse(-1) + " " + parse("3").orElseGet(() -> 9) + " " + parse("4").flatMap(x -> parse("" + x + x)).get());
        parse("1").ifPresent(x -> System.out.println("present " + x));
        parse("?").ifPresentOrElse(x -> System.out.println("no"), () -> System.out.println("absent"));
        try {
            parse("z").get();
        } catch (NoSuchElementException e) {
            System.out.println(e.getMessage());
        }
        try {
            parse("z").orElseThrow(() -> new IllegalStateException("own"));
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            Optional.of(null);
        } catch (NullPointerException e) {
            System.out.println("of(null)");
        }
        System.out.println(Optional.ofNullable(null).isPresent() + " " + Optional.of("a").equals(Optional.of("a")) + " " + OptionalInt.of(3) + " " + Optional.empty().or(() -> Optional.of(1)).isEmpty());
    }
}
