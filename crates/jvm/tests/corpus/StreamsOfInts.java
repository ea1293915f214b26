import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Primitive streams. */
public class StreamsOfInts {
    public static void main(String[] args) {
        System.out.println(IntStream.range(0, 10).sum() + " " + IntStream.rangeClosed(1, 5).reduce(1, (a, b) -> a * b));
        System.out.println(IntStream.of(3, 1, 2).max().getAsInt() + " " + IntStream.empty().max().isPresent() + " " + IntStream.of(1, 2).average().getAsDouble());
        IntStream.iterate(1, x -> x * 3).limit(6).filter(x -> x % 2 == 1).map(x -> x - 1).forEach(x -> System.out.print(x + " "));
        System.out.println();
        System.out.println(IntStream.range(0, 20).filter(x -> x % 3 == 0).boxed().map(String::valueOf).reduce("", String::concat));
        System.out.println(LongStream.rangeClosed(1, 20).reduce((a, b) -> a * b).getAsLong() + " " + "stream".chars().filter(c -> c == 'e').count());
        System.out.println(IntStream.of(5, 2, 8).sorted().mapToObj(i -> "n" + i).toList());
        System.out.println(IntStream.range(0, 100).anyMatch(i -> i * i == 49) + " " + IntStream.range(0, 5).allMatch(i -> i < 5) + " " + IntStream.range(0, 5).noneMatch(i -> i > 3));
        System.out.println(java.util.Arrays.toString(IntStream.range(1, 6).map(i -> i * i).toArray()));
        System.out.println(IntStream.of(1, 1, 2, 3, 3).distinct().count() + " " + IntStream.range(0, 9).skip(4).findFirst().getAsInt());
    }
}
