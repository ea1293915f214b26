import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Object streams and collectors. */
public class StreamsOfObjects {
    public static void main(String[] args) {
        List<String> words = List.of("delta", "alpha", "charlie", "bravo", "echo", "alpha");
        System.out.println(words.stream().filter(w -> w.length() == 5).map(String::toUpperCase).collect(Collectors.toList()));
        System.out.println(words.stream().sorted().distinct().collect(Collectors.joining(",", "[", "]")));
        Map<Integer, List<String>> byLength = words.stream().collect(Collectors.groupingBy(String::length, TreeMap::new, Collectors.toList()));
        System.out.println(byLength);
        System.out.println(words.stream().collect(Collectors.partitioningBy(w -> w.contains("a"), Collectors.counting())));
        System.out.println(words.stream().mapToInt(String::length).sum() + " " + words.stream().reduce("", (a, b) -> a + b.charAt(0)));
        System.out.println(Stream.of(List.of(1, 2), List.of(3), List.<Integer>of()).flatMap(List::stream).map(x -> x * x).collect(Collectors.toList()));
        System.out.println(words.stream().anyMatch("echo"::equals) + " " + words.stream().findFirst().get() + " " + words.stream().min(String::compareTo).get());
        StringBuilder log = new StringBuilder();
        Stream.of("a", "b", "c", "d").peek(x -> log.append(x)).map(x -> x + x).filter(x -> !x.equals("bb")).limit(2).forEach(x -> log.append(x));
        System.out.println(log);
        System.out.println(Stream.iterate(1, x -> x * 2).limit(8).collect(Collectors.summingInt(x -> x)));
        TreeMap<String, Integer> lengths = words.stream().collect(Collectors.toMap(w -> w, String::length, (a, b) -> a + b, TreeMap::new));
        System.out.println(lengths);
        System.out.println(words.stream().skip(2).count());
    }
}
