//! Proofs by induction over recursive methods: what is proved, what must not be, and proofs of generated
//! methods against the real JVM on every input of a small range.

use crate::exploring::truth::{compile, try_all};
use evergreen::Evergreen;
use evergreen::solver::Limits;
use evergreen::store::{Memory, Store};
use evergreen_classfile::find_jdk;
use evergreen_explore::{Advance, End, Explorer, Found, Options};
use evergreen_java::jvm::Options as JvmOptions;
use evergreen_java::symbolic::Ints;
use evergreen_java::{Exploration, Inputs, JavaFrontend, Program, Proof, prove};
use evergreen_jvm::{Ending, Jvm};
use evergreen_structures::Random;
use evergreen_testing::java::{Method, Parameter};
use evergreen_testing::tools::find;
use std::path::Path;
use std::sync::Arc;

fn exploration(folder: &Path, methods: &[Method]) -> Exploration {
    let _ = find("z3");
    let jdk = find_jdk().unwrap_or_else(|e| panic!("{e}"));
    let classes = compile(&jdk, folder, methods);
    let program = Program::open(&[classes], None, jdk).unwrap_or_else(|e| panic!("{e}"));
    let store: Arc<dyn Store> = Arc::new(Memory::new(1 << 24));
    let limits = Limits { time_ms: Some(5_000), ..Limits::default() };
    let make =
        move || Evergreen::builder().with_store(store.clone()).limits(limits.clone()).solver("z3").build();
    JavaFrontend::explore(program, Ints::Wrapped, JvmOptions::default(), Box::new(make)).unwrap()
}

fn proved(exploration: &mut Exploration, class: &str) -> Option<Proof> {
    let found = exploration.front.program().methods(Some(&format!("{class}.run"))).unwrap();
    let [target] = &found[..] else { panic!("{class}: {} methods", found.len()) };
    prove(exploration, target, &Inputs::default()).unwrap_or_else(|e| panic!("{class}: {e}"))
}

fn of(class: &str, body: &str) -> Method {
    Method { class: class.into(), parameters: Vec::new(), source: format!("class {class} {{\n{body}\n}}\n") }
}

const FAILS: &str = "throw new AssertionError();";

#[test]
fn recursions_of_unbounded_depth_are_proved() {
    let methods = [
        of(
            "Adds",
            &format!(
                "static int add(int a, int b) {{
               return b == 0 ? a : b > 0 ? add(a + 1, b - 1) : add(a - 1, b + 1); }}
             static void run(int x, int y) {{ if (add(x, y) != x + y) {FAILS} }}"
            ),
        ),
        of(
            "Times",
            &format!(
                "static long times(long a, long n) {{ if (n <= 0) return 0; return a + times(a, n - 1); }}
             static void run(long x, long n) {{ if (n >= 0 && times(x, n) != x * n) {FAILS} }}"
            ),
        ),
        of(
            "Nested",
            &format!(
                "static int f(int n) {{ if (n > 100) return n - 10; return f(f(n + 11)); }}
             static void run(int n) {{ if (n <= 101 && f(n) != 91) {FAILS} }}"
            ),
        ),
        of(
            "Divisor",
            &format!(
                "static int gcd(int a, int b) {{
               if (a <= 0 || b <= 0) return 0;
               return a == b ? a : a > b ? gcd(a - b, b) : gcd(a, b - a); }}
             static void run(int a, int b) {{ if (a > 0 && b > 0 && gcd(a, b) < 1) {FAILS} }}"
            ),
        ),
        of(
            "Mutual",
            &format!(
                "static int odd(int n) {{ return n == 0 ? 0 : even(n - 1); }}
             static int even(int n) {{ return n == 0 ? 1 : odd(n - 1); }}
             static void run(int n) {{ if (n >= 0 && odd(n) != n % 2) {FAILS} }}"
            ),
        ),
        of(
            "Computed",
            &format!(
                "static int fib(int n) {{ return n < 2 ? n : fib(n - 1) + fib(n - 2); }}
             static void run(int n) {{ if (n >= 5 && n <= 30 && fib(n) < n) {FAILS} }}"
            ),
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    let mut exploration = exploration(folder.path(), &methods);
    for made in &methods {
        let proof = proved(&mut exploration, &made.class);
        let proof = proof.unwrap_or_else(|| panic!("{} was not proved", made.class));
        assert_eq!(proof.computed > 0, made.class == "Computed", "{proof:?}");
    }
    let proof = proved(&mut exploration, "Adds").unwrap();
    assert_eq!(proof.lemmas[0].0, "Adds.add");
    assert!(proof.lemmas[0].1.contains(&"add(p0, p1) == p0 + p1".to_string()), "{proof:?}");
}

#[test]
fn what_can_fail_or_is_not_known_is_not_proved() {
    let methods = [
        // It fails for n = 41, say.
        of(
            "Fails",
            &format!(
                "static int f(int n) {{ return n <= 40 ? 1 : f(n - 1) - 1; }}
             static void run(int n) {{ if (f(n) != 1) {FAILS} }}"
            ),
        ),
        // Only sums that overflow are negative.
        of(
            "Overflows",
            &format!(
                "static int sum(int n) {{ return n <= 0 ? 0 : n + sum(n - 1); }}
             static void run(int n) {{ if (sum(n) < 0) {FAILS} }}"
            ),
        ),
        // All of these depend on more than arguments, or do more than return.
        of(
            "Counts",
            &format!(
                "static int count;
             static int f(int n) {{ count++; return n <= 0 ? 0 : f(n - 1); }}
             static void run(int n) {{ if (n > 0 && f(n) + count > 2) {FAILS} }}"
            ),
        ),
        of(
            "Divides",
            &format!(
                "static int f(int n, int d) {{ return n <= 0 ? 0 : f(n - 1 / d, d); }}
             static void run(int n, int d) {{
               try {{ f(n, d); }} catch (ArithmeticException e) {{ {FAILS} }} }}"
            ),
        ),
        // The stack of the JVM is not as deep as this.
        of(
            "Overflown",
            &format!(
                "static int f(int n) {{ return n <= 0 ? 0 : f(n - 1); }}
             static void run(int n) {{ try {{ f(n); }} catch (StackOverflowError e) {{ {FAILS} }} }}"
            ),
        ),
        of(
            "Finally",
            &format!(
                "static int f(int n) {{ return n <= 0 ? 0 : f(n - 1); }}
             static void run(int n) {{
               boolean done = false;
               try {{ f(n); done = true; }} finally {{ if (!done) {FAILS} }} }}"
            ),
        ),
        // A loop that lemmas say nothing of.
        of(
            "Loops",
            &format!(
                "static int f(int n) {{ return n <= 0 ? 0 : f(n - 1); }}
             static void run(int n) {{
               int s = 0;
               for (int i = 0; i < n; i++) s += f(i);
               if (s > 0) {FAILS} }}"
            ),
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    let mut exploration = exploration(folder.path(), &methods);
    for made in &methods {
        assert_eq!(proved(&mut exploration, &made.class), None, "{}", made.class);
    }
}

/// Recursions with an assertion that holds: until, base, step, guard, fact.
const CORES: [[&str; 5]; 8] = [
    ["a <= 0", "b", "f(a - 1, b + 1)", "a >= 0", "r == a + b"],
    ["a <= 0", "0", "f(a - 1, b) + b", "a >= 0", "r == a * b"],
    ["a <= 0", "b", "f(a - 2, b)", "true", "r == b"],
    ["a < 1", "1", "f(a - 1, b)", "true", "r >= 1"],
    ["a == 0 || a < -5", "0", "f(a - 1, f(a - 1, b))", "true", "r == 0"],
    ["a <= 0", "a + b", "f(a - 1, b) + 1", "true", "r == a + b"],
    ["a <= 0", "0", "f(a - 1, b) + 1", "a > 0", "r == a"],
    ["a <= 2", "2", "f(a - 1, b + 2)", "true", "r == 2"],
];

/// One of these with up to two of its parts taken from another: some hold, many do not.
fn generated(index: u64) -> Method {
    let mut random = Random::for_index(20_261_118, index);
    let mut parts = *random.choose(&CORES);
    for _ in 0..random.below(3) {
        let part = random.below(5);
        parts[part] = random.choose(&CORES)[part];
    }
    let [until, base, step, guard, fact] = parts;
    let class = format!("Recursion{index}");
    let source = format!(
        "class {class} {{
           static int f(int a, int b) {{ if ({until}) return {base}; return {step}; }}
           static int run(int a, int b) {{
             int r = f(a, b);
             if ({guard}) if (!({fact})) throw new AssertionError();
             return r; }}
         }}"
    );
    let range = |name: &str| Parameter { name: name.into(), of: "int", low: -4, high: 7 };
    Method { class, parameters: vec![range("a"), range("b")], source }
}

#[test]
fn what_is_proved_of_generated_recursions_is_true_on_the_jvm() {
    let count = std::env::var("EVERGREEN_BRUTE_FORCE").ok().and_then(|n| n.parse().ok()).unwrap_or(40);
    let methods: Vec<Method> = (0..count).map(generated).collect();
    let folder = tempfile::tempdir().unwrap();
    let mut exploration = exploration(folder.path(), &methods);
    let jdk = find_jdk().unwrap_or_else(|e| panic!("{e}"));
    let all = try_all(&jdk, folder.path(), &methods);
    let (mut proofs, mut failing) = (0, 0);
    for made in &methods {
        let ends = &all[&made.class];
        let fails = ends.values().filter(|(ending, _)| ending.contains("AssertionError")).count();
        let is_proved = proved(&mut exploration, &made.class).is_some();
        assert!(!is_proved || fails == 0, "{fails} inputs fail, and it was proved:\n{}", made.source);
        proofs += u64::from(is_proved);
        failing += u64::from(fails > 0);
    }
    println!("{count} methods: {proofs} proved, {failing} fail");
    assert!(proofs * 5 >= count && failing * 5 >= count, "{proofs} proved, {failing} fail of {count}");
}

/// Merged states wait for each other at the end of a call. A call that goes on without end must not keep the
/// others from their ends.
#[test]
fn a_recursion_without_end_lets_others_end() {
    let methods = [of(
        "Endless",
        &format!(
            "static int f(int n) {{ if (n > 100) return n - 10; return f(f(n + 11)); }}
         static void run(int n) {{ int r = f(n); if (r == 140) {FAILS} }}"
        ),
    )];
    let folder = tempfile::tempdir().unwrap();
    let mut exploration = exploration(folder.path(), &methods);
    let found = exploration.front.program().methods(Some("Endless.run")).unwrap();
    let (start, path, model) = exploration.begin(&found[0], &Inputs::default()).unwrap();
    let (front, oracle) = exploration.parts();
    let options = Options { merging: Some(0), ..Options::default() };
    let mut explorer = Explorer::under(start, path, model, options);
    let threw = |found: &Found<Jvm, _>| match &found.end {
        End::Outcome(outcome) => matches!(outcome.ending, Ending::Threw { .. }),
        _ => false,
    };
    let is_found = (0..2_000).any(|_| match explorer.advance(&mut front.jvm, oracle) {
        Advance::Found(found) => threw(&found),
        _ => false,
    });
    assert!(is_found, "no path had ended after 2,000 branches");
}
