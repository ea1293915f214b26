//! Arrays as inputs, whose lengths paths choose where they look: each input of a small range lies on exactly
//! one path, and the JVM does the same with it, branch by branch.

use crate::exploring::heaps::{Explored, compiled, explore, replayed};
use evergreen::store::{Memory, Store};
use evergreen::{Evergreen, Reuse};
use evergreen_java::classfile::find_jdk;
use evergreen_java::jvm::Options as JvmOptions;
use evergreen_java::replay::{Fate, Junit, JunitJars, JunitOptions, TestCase, junit_suites, run_junit};
use evergreen_java::symbolic::Ints;
use evergreen_java::{
    Exploration, How, Inputs, JavaFrontend, MethodRef, Narrowings, Options, PathEnd, Program, source_text,
};
use evergreen_testing::tools::{find, put_on_path};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

fn classes() -> &'static [PathBuf] {
    static PLACES: OnceLock<Vec<PathBuf>> = OnceLock::new();
    PLACES.get_or_init(|| compiled("crates/java/tests/java/rows"))
}

fn exploration(places: &[PathBuf], input_length: u32) -> Exploration {
    let _ = find("z3");
    let jdk = find_jdk().expect("these tests need a JDK");
    let program = Program::open(places, None, jdk).unwrap_or_else(|e| panic!("{e}"));
    let store: Arc<dyn Store> = Arc::new(Memory::new(1 << 24));
    let make = move || Evergreen::builder().with_store(store.clone()).solver("z3").reuse(Reuse::Full).build();
    let options = JvmOptions { record: 100_000, input_length, ..JvmOptions::default() };
    JavaFrontend::explore(program, Ints::Wrapped, options, Box::new(make)).unwrap_or_else(|e| panic!("{e}"))
}

fn inputs_of(path: &PathEnd) -> String {
    let all = path.inputs.iter().map(|(name, value)| format!("{name} = {}", source_text(value)));
    all.collect::<Vec<_>>().join(", ")
}

fn bounds(explored: &Explored) -> Vec<&'static str> {
    explored.tally.narrowings().map(|(bound, _)| bound.name()).collect()
}

#[test]
fn an_array_costs_what_the_program_looks_at() {
    let mut exploration = exploration(classes(), 3);
    // Method, paths, bounds that were met.
    let expected: [(&str, u64, &[&str]); 15] = [
        // Null and not null.
        ("ignored", 2, &[]),
        ("passedOn", 2, &[]),
        ("ignoredTexts", 4, &[]),
        // Null, too short, and two arms: whatever other lengths there are.
        ("first", 4, &["input_length"]),
        ("second", 4, &["input_length"]),
        // Null, below 0, beyond the end, two arms.
        ("anyIndex", 5, &["input_length"]),
        // Null; of length 0 to 3, each below and above.
        ("sum", 1 + 4 * 2, &["input_length"]),
        // Null and empty; one, null or not; more: the second is "x" or null or neither, then the first.
        ("texts", 9, &["input_length"]),
        // Null; no second row; it is null, or not of length 2; two arms.
        ("rows", 6, &["input_length"]),
        // Null, empty; null, "" or longer.
        ("replaced", 5, &["input_length"]),
        // Null, empty; one null; two arms.
        ("boxes", 5, &["input_length"]),
        ("drawnNumbers", 3, &["input_length"]),
        ("drawnTexts", 3, &["input_length"]),
        ("drawnKinds", 6, &["input_length"]),
        // All characters are read: null, and lengths with and without characters beyond Latin-1.
        ("letters", 13, &["input_length"]),
    ];
    let (mut paths, mut wrong) = (Vec::new(), String::new());
    for (method, count, met) in expected {
        let explored = explore(&mut exploration, "rows/Rows", method);
        let shown: Vec<String> = explored.paths.iter().map(inputs_of).collect();
        let bounds: Vec<&str> =
            bounds(&explored).into_iter().filter(|b| !["sharing", "chars"].contains(b)).collect();
        if (explored.tally.paths, explored.tally.unsupported, &bounds[..]) != (count, 0, met) {
            let _ = writeln!(wrong, "{method}: {} paths {bounds:?} {shown:#?}", explored.tally.paths);
        }
        paths.extend(explored.paths);
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert_eq!(replayed(classes(), paths.iter()), paths.len());
    let cases: Vec<TestCase> = paths.iter().filter_map(|path| path.case.clone()).collect();
    junit_passes(&cases);
}

fn junit_passes(cases: &[TestCase]) {
    let suites = junit_suites(cases, &JunitOptions::beside("rows.Rows", "Test", Junit::Five));
    put_on_path();
    let jars = JunitJars::find(Junit::Five, &[]).unwrap_or_else(|e| panic!("{e}"));
    let jdk = find_jdk().expect("these tests need a JDK");
    let tests = run_junit(&jdk, classes(), &jars, &suites, Duration::from_secs(100))
        .unwrap_or_else(|error| panic!("{error}\n{}", suites[0].source));
    assert_eq!(tests.len(), cases.len());
    for test in tests {
        assert_eq!(test.fate, Fate::Passed, "{test:?}\n{}", suites[0].source);
    }
}

/// Every array of up to two numbers between -1 and 1, null too, and every such number, as assumptions.
fn all_inputs() -> Vec<String> {
    let mut arrays = vec!["a.length == -1".to_string(), "a.length == 0".to_string()];
    for first in -1..=1 {
        arrays.push(format!("a.length == 1 && a[0] == {first}"));
        arrays.extend((-1..=1).map(|second| format!("a.length == 2 && a[0] == {first} && a[1] == {second}")));
    }
    let with = |array: &String| (-1..=2).map(|x| format!("{array} && x == {x}")).collect::<Vec<_>>();
    arrays.iter().flat_map(with).collect()
}

/// The arms that a path takes and how it ends, without values.
fn kind(path: &PathEnd) -> String {
    let ending = match &path.how {
        How::Returned(_) => "returned".to_string(),
        How::Threw { class, .. } => class.to_string(),
        other => panic!("{other:?}"),
    };
    format!("{ending} {:?}", path.beyond.taken)
}

fn run(exploration: &mut Exploration, method: &MethodRef, assumptions: Vec<String>) -> Vec<PathEnd> {
    let ranges = vec![("a".to_string(), (-1, 1)), ("x".to_string(), (-1, 2))];
    let inputs = Inputs { ranges, assumptions, ..Inputs::default() };
    let mut run = exploration.entry(method, &inputs, Options::default()).unwrap_or_else(|e| panic!("{e}"));
    let mut paths = Vec::new();
    while let Some(path) = run.next_path() {
        paths.push(path);
    }
    assert_eq!(run.tally().unsupported, 0, "{method}");
    paths
}

/// Explores methods of an array and a number freely, and with every input; replays what was found.
fn brute_force(places: &[PathBuf]) -> (usize, usize) {
    let mut exploration = exploration(places, 2);
    let all = exploration.front.program().methods(None).unwrap_or_else(|e| panic!("{e}"));
    let (mut free, mut given) = (0, Vec::new());
    for method in all.iter().filter(|method| *method.descriptor == *"([II)I") {
        let mut wanted: BTreeMap<String, String> = BTreeMap::new();
        for input in all_inputs() {
            let mut paths = run(&mut exploration, method, vec![input.clone()]);
            assert_eq!(paths.len(), 1, "{method} with {input}");
            wanted.insert(kind(&paths[0]), input);
            given.append(&mut paths);
        }
        let paths = run(&mut exploration, method, Vec::new());
        for path in &paths {
            assert!(wanted.contains_key(&kind(path)), "{method}: no input takes {}", inputs_of(path));
        }
        let found: Vec<String> = paths.iter().map(kind).collect();
        for (kind, input) in &wanted {
            assert!(found.contains(kind), "{method}: the path of {input} was not found");
        }
        free += paths.len();
        given.extend(paths);
    }
    assert_eq!(replayed(places, given.iter()), given.len());
    (free, given.len())
}

#[test]
fn each_array_is_on_exactly_one_path() {
    let (free, all) = brute_force(classes());
    println!("{free} paths, {all} replayed");
}

/// Methods that are put together at random.
fn generated(count: usize) -> String {
    let mut seed: u64 = 20_261_118;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let mut source = "public class Mixed {\n".to_string();
    for number in 0..count {
        let _ = writeln!(
            source,
            "public static int m{number}(int[] a, int x) {{\nint r = 0, i = 0; int[] b = a;"
        );
        for _ in 0..4 {
            let place = ["0", "1", "x", "i", "a.length - 1", "a.length / 2", "b.length - 2", "x + i"];
            let (one, other) = (place[random(8)], place[random(8)]);
            let row = ["a", "b"][random(2)];
            let relation = ["<", "==", ">="][random(3)];
            let statement = match random(9) {
                0 => format!("r += {row}[{one}];"),
                1 => format!("{row}[{one}] = r + {other};"),
                2 => format!("if ({row}[{one}] {relation} x) r += 3; else i = 1;"),
                3 => format!("for (i = 0; i < {row}.length; i++) r = 2 * r + {row}[i];"),
                4 => format!("if ({row}.length {relation} {}) {{ r++; i = {one}; }}", random(3)),
                5 => format!("b = new int[a.length + {}]; b[{one}] = x;", random(2)),
                6 => "b = a.clone();".to_string(),
                7 => format!("if ({row} != null && {row}.length > 0) {row}[0] = {other};"),
                _ => format!("while (i < {row}.length && {row}[i] {relation} x) {{ i++; r += i; }}"),
            };
            source.push_str(&statement);
            source.push('\n');
        }
        source.push_str("if (r > 2) return 1;\nreturn r;\n}\n");
    }
    source + "}\n"
}

#[test]
fn nor_do_generated_methods_lose_an_array() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("Mixed.java");
    let count = std::env::var("EVERGREEN_BRUTE_FORCE").ok().and_then(|n| n.parse().ok()).unwrap_or(40);
    std::fs::write(&file, generated(count)).expect("a file");
    let jdk = find_jdk().expect("these tests need a JDK");
    let program = Program::open(&[file], None, jdk).unwrap_or_else(|e| panic!("{e}"));
    let (free, all) = brute_force(&program.places);
    println!("{free} paths, {all} replayed");
}
