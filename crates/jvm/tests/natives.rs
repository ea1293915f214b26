//! The JDK under symbolic values: for all small inputs, the path that they take ends as the concrete run
//! does; and how many paths there are, where a model of ours keeps them few.

use std::collections::BTreeSet;

use crate::common::{Program, show};
use evergreen_jvm::{Ending, Piece, Stream, Value};

const SOURCE: &str = r#"
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;
import java.util.stream.*;

class Jdk {
    record Pair(int left, Integer right) {}
    enum Color { RED, GREEN, BLUE }
    interface Shape { default int area() { return 1; } }
    record Square(int side) implements Shape { public int area() { return side * side; } }

    static boolean sameBox(int a, int b) { Integer x = a * 60, y = b * 60; return x == y; }
    static boolean sameAsCached(int a, int b) { Integer x = a, y = 5; return x == y; }
    static boolean differentBox(int a, int b) { Long x = (long) a, y = (long) b; return x != y; }
    static boolean newBox(int a, int b) { Integer x = a; Integer y = new Integer(a); return x == y || y == x || x != x; }
    static boolean charBox(int a, int b) { Character x = (char) (a + 126), y = (char) (b + 126); return x == y; }
    static boolean equalBox(int a, int b) { Integer x = a, y = b; return x.equals(y) && x.hashCode() == b && x.compareTo(y) == 0; }

    static int hashMap(int a, int b) {
        Map<Integer, Integer> map = new HashMap<>();
        map.put(a, 1); map.put(b, 2); map.merge(3, 5, Integer::sum);
        return map.getOrDefault(3, 0) * 100 + map.size() * 10 + map.get(a);
    }
    static String treeMap(int a, int b) {
        TreeMap<Integer, String> map = new TreeMap<>();
        map.put(a, "a"); map.put(b, "b"); map.put(2, "two");
        return map.firstEntry().getValue() + map.headMap(3).size() + map.ceilingEntry(1);
    }
    static String set(int a, int b) { return new TreeSet<>(Set.of(a, b + 100)).toString(); }
    static String list(int a, int b) {
        List<Integer> list = new ArrayList<>(List.of(4, a, 0, b)); Collections.sort(list); list.remove(Integer.valueOf(b));
        return list + " " + list.indexOf(a);
    }
    static int get(int a, int b) { return new ArrayList<>(List.of(4, 5, 6)).get(a); }
    static int get2(int a, int b) { return new LinkedList<>(List.of(4, 5, 6)).get(a); }
    static String substring(int a, int b) { return "hello".substring(a, b); }
    static char charAt(int a, int b) { return "hello".charAt(a); }
    static int checked(int a, int b) { return Objects.checkIndex(a, 3) + Math.addExact(a, Integer.MAX_VALUE - b); }
    static String bits(int a, int b) { BitSet s = new BitSet(); s.set((a + 3) & 31); s.set((b + 2) & 31); return s.toString(); }
    static int concurrent(int a, int b) {
        ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>(); map.put(a, 1); map.putIfAbsent(b, 2); return map.get(b);
    }
    static int atomic(int a, int b) {
        AtomicInteger n = new AtomicInteger(a); n.addAndGet(b); n.compareAndSet(4, 40);
        AtomicReference<String> r = new AtomicReference<>("x"); r.compareAndSet("x", "y");
        AtomicIntegerArray cells = new AtomicIntegerArray(2); cells.getAndAdd(1, a); cells.compareAndSet(1, b, 9);
        AtomicBoolean flag = new AtomicBoolean(a > 2); flag.compareAndSet(true, false);
        return n.get() + r.get().length() * 1000 + cells.get(1) * 7 + (flag.get() ? 1 : 0);
    }
    static int copies(int a, int b) {
        int[] from = {1, 2, 3, 4}, to = new int[4]; System.arraycopy(from, a, to, 1, b); return to[1] * 100 + to[2] * 10 + to[3];
    }
    static int copiesSymbolic(int a, int b) {
        int[] cells = {a, b, a + b, 9}; int[] copy = Arrays.copyOf(cells, 6); System.arraycopy(copy, 0, copy, 1, 4); return Arrays.hashCode(copy);
    }
    static boolean arraysEqual(int a, int b) { return Arrays.equals(new int[] {1, a, 3}, new int[] {1, b, 3}); }
    static int mismatch(int a, int b) { return Arrays.mismatch(new byte[] {1, (byte) a, 3, 4, 5, 6, 7, 8, 9}, new byte[] {1, 2, 3, 4, 5, 6, 7, 8, (byte) b}); }
    static String sorted(int a, int b) { int[] x = {a, 2, b, -1}; Arrays.sort(x); return Arrays.toString(x); }
    static int searched(int a, int b) { return Arrays.binarySearch(new int[] {-2, 0, 2, 4, b + 10}, a); }

    static int lambda(int a, int b) { IntBinaryOperator f = (x, y) -> x * y + a; Supplier<Integer> s = () -> f.applyAsInt(a, b); return s.get(); }
    static long adapted(int a, int b) { Function<Integer, Long> f = Integer::longValue; ToLongFunction<Integer> g = f::apply; return g.applyAsLong(a) + g.applyAsLong(b); }
    static int constructor(int a, int b) { IntFunction<Square> make = Square::new; Shape s = a > b ? make.apply(a) : new Shape() {}; return s.area(); }
    static String concat(int a, int b) { return a + "" + (char) (b + 'a') + (a > b) + (long) b + (byte) a + null + (Integer) a + 'x'; }
    static String record(int a, int b) { return new Pair(a, b) + "" + new Pair(a, b).equals(new Pair(b, a)); }
    static int recordHash(int a, int b) { return new Pair(a, b).hashCode(); }
    static int enums(int a, int b) {
        Color c = Color.values()[Math.floorMod(a, 3)];
        EnumMap<Color, Integer> map = new EnumMap<>(Color.class); map.put(c, b);
        switch (c) { case RED: return 1; case GREEN: return map.get(c); default: return map.size() + c.name().length(); }
    }
    static int stream(int a, int b) { return IntStream.of(a, b, 3).filter(x -> x > 1).map(x -> x * x).sum(); }
    static String collected(int a, int b) { return Stream.of(a, b).filter(x -> x != 2).map(x -> "<" + x + ">").collect(Collectors.joining(",")); }
    static int optional(int a, int b) { return Optional.of(a).filter(x -> x > b).map(x -> x + 1).orElse(-1); }
    static int word(int a, int b) { switch ("k" + a) { case "k1": return 1; case "k3": return b; default: return 9; } }

    static int parse(int a, int b) { return Integer.parseInt("" + (char) (a + '0') + (char) (b + '0')); }
    static boolean letters(int a, int b) { char c = (char) (a + 'a' - 2); return Character.isLetter(c) == Character.isLowerCase(c) && Character.toUpperCase(c) >= 'A'; }
    static int digits(int a, int b) { return Character.digit((char) (a + '0'), 10) + Character.getNumericValue((char) (b + '7')); }
    static int math(int a, int b) { return Math.max(a, b) * 100 + Math.abs(a) * 10 + Math.floorMod(a, 3) + Integer.signum(b) + Integer.bitCount(a); }
    static int indexOf(int a, int b) { return "abcabc".indexOf((char) (a + 'a'), b); }
    static String format(int a, int b) { return String.format("%d|%3d|%s", a, b, a > b); }
    static String radix(int a, int b) { return Integer.toHexString(a) + Integer.toString(b, 2) + Integer.toBinaryString(b); }
    static int queue(int a, int b) { PriorityQueue<Integer> q = new PriorityQueue<>(List.of(a, 2, b)); q.poll(); return q.poll(); }
    static int deque(int a, int b) { ArrayDeque<Integer> d = new ArrayDeque<>(); d.push(a); d.addLast(b); return d.pollLast() * 10 + d.pop(); }
    static int thrown(int a, int b) { try { if (a > b) throw new IllegalStateException("n" + a); return 0; } catch (IllegalStateException e) { return e.getStackTrace().length > 0 ? e.getMessage().length() : -1; } }
}
"#;

const TEXT: &str = "Ljava/lang/String;";

const METHODS: &[(&str, &str)] = &[
    ("sameBox", "Z"),
    ("sameAsCached", "Z"),
    ("differentBox", "Z"),
    ("newBox", "Z"),
    ("charBox", "Z"),
    ("equalBox", "Z"),
    ("hashMap", "I"),
    ("treeMap", TEXT),
    ("set", TEXT),
    ("list", TEXT),
    ("get", "I"),
    ("get2", "I"),
    ("substring", TEXT),
    ("charAt", "C"),
    ("checked", "I"),
    ("bits", TEXT),
    ("concurrent", "I"),
    ("atomic", "I"),
    ("copies", "I"),
    ("copiesSymbolic", "I"),
    ("arraysEqual", "Z"),
    ("mismatch", "I"),
    ("sorted", TEXT),
    ("searched", "I"),
    ("lambda", "I"),
    ("adapted", "J"),
    ("constructor", "I"),
    ("concat", TEXT),
    ("record", TEXT),
    ("recordHash", "I"),
    ("enums", "I"),
    ("stream", "I"),
    ("collected", TEXT),
    ("optional", "I"),
    ("word", "I"),
    ("parse", "I"),
    ("letters", "Z"),
    ("digits", "I"),
    ("math", "I"),
    ("indexOf", "I"),
    ("format", TEXT),
    ("radix", TEXT),
    ("queue", "I"),
    ("deque", "I"),
    ("thrown", "I"),
];

fn program() -> Program {
    Program::new("Jdk", SOURCE)
}

#[test]
fn symbolic_paths_through_the_jdk_end_as_concrete_runs() {
    let mut program = program();
    for (method, result) in METHODS {
        let descriptor = format!("(II){result}");
        // All runs after the first share the JDK's initialized classes.
        let first = program.concrete(method, &descriptor, &[Value::Int(1), Value::Int(2)]);
        program.base = program.jvm.warm(&program.base, &first.state);
        for (a, b) in [-3, -1, 0, 1, 2, 3, 5].into_iter().flat_map(|a| [-2, 0, 1, 2, 4].map(|b| (a, b))) {
            let concrete = program.concrete(method, &descriptor, &[Value::Int(a), Value::Int(b)]);
            let inputs = [("a", i64::from(a)), ("b", i64::from(b))];
            let (outcome, assignment) = program.along(method, &descriptor, &inputs);
            let expected = show(&program, &concrete, &assignment);
            assert!(!expected.starts_with("Unsupported"), "{method}({a}, {b}): {expected}");
            assert_eq!(show(&program, &outcome, &assignment), expected, "{method}({a}, {b})");
        }
    }
}

#[test]
fn models_keep_paths_few() {
    let mut program = program();
    let mut paths = |method: &str, result: &str| {
        let mut traces = BTreeSet::new();
        for a in -3..12 {
            let inputs = [("a", a), ("b", 1)];
            traces.insert(program.along(method, &format!("(II){result}"), &inputs).0.trace);
        }
        traces.len()
    };
    // Texts of numbers are no branches: boxing, concatenating and failing have the paths of
    // the program only (`a > b`).
    assert_eq!(paths("concat", TEXT), 2);
    assert_eq!(paths("recordHash", "I"), 1);
    assert_eq!(paths("equalBox", "Z"), 2);
    assert_eq!(paths("sameAsCached", "Z"), 2);
    assert_eq!(paths("copiesSymbolic", "I"), 1);
    assert_eq!(paths("arraysEqual", "Z"), 2);
    // Within, below and beyond; the number of branches depends on the JDK. Messages add none.
    assert_eq!(paths("charAt", "C"), 3);
    assert_eq!(paths("get", "I"), 5);
}

const DRIVER: &str = r#"
import static evergreen.Sym.*;
class Draws {
    static int twice() { return anInt("x") * 10 + anInt("x"); }
    static int ways() { return choose(3) * 10 + choose(2); }
    static int assumed() { int x = anInt("x"); assume(x > 3); return x; }
    static int ranged() { int x = anInt("x", 2, 5); return x < 2 ? 1 : x > 5 ? 2 : 3; }
    static int checked() { int x = anInt("x"); check(x != 7, "not seven"); return x; }
    static int empty() { return anInt("x", 5, 2); }
    static void printed() { int x = anInt("x"); System.out.println("x = " + x + (char) 0x2603); System.err.print(aChar("c")); System.out.print(aBoolean("z")); }
}
"#;

#[test]
fn draws_are_inputs() {
    let mut program = Program::new("Draws", DRIVER);
    let (outcome, inputs) = program.along("twice", "()I", &[("x", 4), ("x#2", 7)]);
    assert_eq!(show(&program, &outcome, &inputs), "47");
    let names: Vec<&str> = outcome.draws.iter().map(|draw| &*draw.name).collect();
    assert_eq!(names, ["x", "x#2"]);
    for (first, second) in [(0, 0), (2, 1), (1, 0)] {
        let (outcome, inputs) = program.along("ways", "()I", &[("choose", first), ("choose#2", second)]);
        assert_eq!(show(&program, &outcome, &inputs), (first * 10 + second).to_string());
        assert_eq!(outcome.trace.len(), 2);
    }
    let (outcome, _) = program.along("assumed", "()I", &[("x", 3)]);
    assert!(matches!(outcome.ending, Ending::Assumed), "{:?}", outcome.ending);
    let (outcome, inputs) = program.along("assumed", "()I", &[("x", 4)]);
    assert_eq!(show(&program, &outcome, &inputs), "4");
    let (outcome, _) = program.along("ranged", "()I", &[("x", 3)]);
    assert_eq!(outcome.trace.len(), 0, "a range decides");
    let (outcome, inputs) = program.along("checked", "()I", &[("x", 7)]);
    assert_eq!(show(&program, &outcome, &inputs), "evergreen/CheckFailed: Some(\"not seven\")");
    let (outcome, _) = program.along("empty", "()I", &[]);
    assert!(matches!(outcome.ending, Ending::Assumed), "{:?}", outcome.ending);
}

#[test]
fn symbolic_output_is_told_under_the_inputs() {
    let mut program = Program::new("Draws", DRIVER);
    let (outcome, inputs) = program.along("printed", "()V", &[("x", -70), ("c", 65), ("z", 1)]);
    assert_eq!(outcome.trace.len(), 0, "printing does not branch");
    let printed = |stream| String::from_utf16_lossy(&program.jvm.printed(&outcome.output, stream, &inputs));
    assert_eq!(printed(Stream::Out), "x = -70\u{2603}\ntrue");
    assert_eq!(printed(Stream::Err), "A");
    assert!(outcome.output.iter().any(|piece| matches!(piece, Piece::Symbolic(..))));
}

#[test]
fn what_cannot_be_followed_ends_the_path_with_help() {
    let mut program = Program::new(
        "Odd",
        "class Odd {
           static void input() throws Exception { System.in.read(); }
           static void reflection() throws Exception { \
             String.class.getDeclaredField(\"value\").setAccessible(true); }
           static void loader() { Odd.class.getClassLoader().getResource(\"x\"); }
           static void handles() throws Throwable { \
             java.lang.invoke.MethodHandles.lookup().findStatic(Odd.class, \"input\", null); }
           static void locale() { String.format(java.util.Locale.GERMANY, \"%.2f\", 1.5); }
           static void waits() throws Exception { synchronized (Odd.class) { Odd.class.wait(); } }
           static void writes() throws Exception { \
             java.nio.file.Files.createFile(java.nio.file.Path.of(\"x\")); }
           static void exits() { System.exit(3); }
         }",
    );
    let mut ending = |method: &str| program.concrete(method, "()V", &[]).ending;
    for method in ["input", "reflection", "loader", "handles", "locale", "waits", "writes"] {
        match ending(method) {
            Ending::Unsupported { help, place, .. } => {
                assert!(!help.is_empty(), "{method} has no help");
                assert!(place.is_some_and(|place| &*place.unit == "Odd"), "{method} has no place");
            }
            other => panic!("{method}: {other:?}"),
        }
    }
    assert!(matches!(ending("exits"), Ending::Exited(3)));
}
