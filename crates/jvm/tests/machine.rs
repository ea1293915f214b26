//! The machine by itself: what a method returns, concretely and along symbolic paths.

use crate::common::{Program, show};
use evergreen_jvm::{Value, Way};

#[test]
fn int_code_runs() {
    let mut program = Program::new(
        "Ints",
        "class Ints { \
           static int gcd(int a, int b) { while (b != 0) { int t = a % b; a = b; b = t; } return a; }
           static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
           static long sum(int n) { long s = 0; for (int i = 0; i < n; i++) s += i * (long) i; return s; }
           static double half(float x) { return x / 2.0; } }",
    );
    let mut check = |name: &str, descriptor: &str, args: &[Value], expected: &str| {
        let outcome = program.concrete(name, descriptor, args);
        assert_eq!(show(&program, &outcome, &program.assignment(&[])), expected, "{name}");
    };
    check("gcd", "(II)I", &[Value::Int(48), Value::Int(36)], "12");
    check("fib", "(I)I", &[Value::Int(15)], "610");
    check("sum", "(I)J", &[Value::Int(100_000)], "333328333350000L");
    check("half", "(F)D", &[Value::Float(0.5)], "0.25");
}

#[test]
fn branches_on_symbolic_ints() {
    let mut program = Program::new(
        "Mid",
        "class Mid { static int mid(int x, int y, int z) {
           if (x < y) { if (y < z) return y; else if (x < z) return z; else return x; }
           else { if (x < z) return x; else if (y < z) return z; else return y; } } }",
    );
    let mut traces = std::collections::BTreeSet::new();
    for x in 0..3 {
        for y in 0..3 {
            for z in 0..3 {
                let inputs = [("x", x), ("y", y), ("z", z)];
                let (outcome, assignment) = program.along("mid", "(III)I", &inputs);
                let mut sorted = [x, y, z];
                sorted.sort_unstable();
                assert_eq!(show(&program, &outcome, &assignment), sorted[1].to_string(), "{inputs:?}");
                traces.insert(outcome.trace);
            }
        }
    }
    assert_eq!(traces.len(), 6);
}

#[test]
fn the_users_branches_are_recorded() {
    let mut program = Program::new(
        "Log",
        "class Log { static int go(int x) { int n = 0; for (int i = 0; i < 2; i++) { if (x > 5) n++; }
           switch (x) { case 1: case 3: return 7; case 6: return n; default: return -1; } } }",
    );
    program.jvm.options.record = 100;
    let mut ways = |x: i64| -> Vec<Way> {
        let (outcome, assignment) = program.along("go", "(I)I", &[("x", x)]);
        let arms = program.jvm.arms_under(&outcome.state, &assignment).expect("recorded");
        assert!(arms.iter().all(|arm| &*arm.class == "Log" && &*arm.method == "go"));
        assert!(arms.windows(2).all(|pair| pair[0].offset != pair[1].offset));
        arms.into_iter().map(|arm| arm.way).collect()
    };
    use Way::{Case, Default, Fallthrough, Taken};
    let over = [Fallthrough, Fallthrough, Fallthrough, Fallthrough, Taken];
    let under = [Fallthrough, Taken, Fallthrough, Taken, Taken];
    assert_eq!(ways(6), [&over[..], &[Case(2)]].concat());
    assert_eq!(ways(9), [&over[..], &[Default]].concat());
    // Which of two cases with one target it was depends on the input.
    assert_eq!(ways(1), [&under[..], &[Case(0)]].concat());
    assert_eq!(ways(3), [&under[..], &[Case(1)]].concat());
    program.jvm.options.record = 3;
    let (outcome, assignment) = program.along("go", "(I)I", &[("x", 6)]);
    assert_eq!(program.jvm.arms_under(&outcome.state, &assignment), None);
}

#[test]
fn garbage_is_collected() {
    let mut program = Program::new(
        "Garbage",
        "import java.util.*;
         class Garbage { int v; Garbage next; static Map<Integer, String> kept = new HashMap<>();
           static int go(int n) {
             Garbage list = null; int sum = 0;
             for (int i = 0; i < n; i++) {
               Garbage g = new Garbage(); g.v = i;
               if (i % 100 == 0) { g.next = list; list = g; kept.put(i, \"n\" + i); }
               int[][] cells = new int[3][4]; cells[2][3] = i; sum ^= cells[2][3];
               String s = \"x\" + i; sum += s.length();
             }
             for (; list != null; list = list.next) sum = sum * 31 + list.v;
             return sum + kept.get(100).length() + kept.size(); }
           static int hoard(int n) { List<int[]> all = new ArrayList<>(); for (;;) all.add(new int[n]); } }",
    );
    let all_kept = program.concrete("go", "(I)I", &[Value::Int(5_000)]);
    let places = all_kept.state.heap.len();
    program.jvm.options.collect = 1_000;
    let collected = program.concrete("go", "(I)I", &[Value::Int(5_000)]);
    let assignment = program.assignment(&[]);
    assert_eq!(show(&program, &collected, &assignment), show(&program, &all_kept, &assignment));
    assert!(collected.state.heap.len() < 6_000, "{} places", collected.state.heap.len());
    assert!(places > 30_000, "{places} places without collection");
    // Live objects cannot be collected: a bound cuts the path, by bytes or by objects.
    program.jvm.options.heap_bytes = 10 << 20;
    let cut = program.concrete("hoard", "(I)I", &[Value::Int(1_000)]);
    assert_eq!(show(&program, &cut, &assignment), "Bound(Objects)");
    let thrown = program.concrete("hoard", "(I)I", &[Value::Int(500_000_000)]);
    assert_eq!(show(&program, &thrown, &assignment), "java/lang/OutOfMemoryError: Some(\"Java heap space\")");
}
