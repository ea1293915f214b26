//! Inputs whose types say more than their classes: arguments of generic types, and interfaces of the program
//! with several methods.

use crate::exploring::heaps::{Explored, compiled, explore, replayed};
use evergreen::store::{Memory, Store};
use evergreen::{Evergreen, Reuse};
use evergreen_java::classfile::find_jdk;
use evergreen_java::jvm::Options as JvmOptions;
use evergreen_java::replay::{Fate, Junit, JunitJars, JunitOptions, TestCase, junit_suites, run_junit};
use evergreen_java::symbolic::Ints;
use evergreen_java::{Exploration, JavaFrontend, Narrowings, Program, source_text};
use evergreen_testing::tools::{find, put_on_path};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

fn classes() -> &'static [PathBuf] {
    static PLACES: OnceLock<Vec<PathBuf>> = OnceLock::new();
    PLACES.get_or_init(|| compiled("crates/java/tests/java/typed"))
}

fn exploration() -> Exploration {
    let _ = find("z3");
    let jdk = find_jdk().expect("these tests need a JDK");
    let program = Program::open(classes(), None, jdk).unwrap_or_else(|e| panic!("{e}"));
    let store: Arc<dyn Store> = Arc::new(Memory::new(1 << 24));
    let make = move || Evergreen::builder().with_store(store.clone()).solver("z3").reuse(Reuse::Full).build();
    let options = JvmOptions { record: 100_000, ..JvmOptions::default() };
    JavaFrontend::explore(program, Ints::Wrapped, options, Box::new(make)).unwrap_or_else(|e| panic!("{e}"))
}

/// The inputs of each path, in order, with its end.
fn shown(explored: &Explored) -> Vec<String> {
    let inputs = |inputs: &[(String, evergreen_java::replay::JavaValue)]| {
        let all = inputs.iter().map(|(name, value)| format!("{name} = {}", source_text(value)));
        all.collect::<Vec<_>>().join(", ")
    };
    explored.paths.iter().map(|path| format!("{}: {:?}", inputs(&path.inputs), path.how)).collect()
}

/// Methods with their paths, ends that constructors refuse, and bounds.
type Expected<'e> = &'e [(&'e str, &'e str, u64, u64, &'e [&'e str])];

/// Explores methods, and runs all tests on the JVM and as JUnit source.
fn all_paths_are(expected: Expected<'_>) -> Vec<Explored> {
    let mut exploration = exploration();
    let (mut all, mut wrong) = (Vec::new(), Vec::new());
    for (class, method, count, refused, met) in expected {
        let explored = explore(&mut exploration, &format!("typed/{class}"), method);
        let tally = &explored.tally;
        let found = (tally.paths, tally.refused, tally.unsupported + tally.cut.values().sum::<u64>());
        let bounds: Vec<&str> = tally.narrowings().map(|(bound, _)| bound.name()).collect();
        if found != (*count, *refused, 0) || bounds != *met {
            wrong.push(format!("{class}.{method}: {found:?}, {bounds:?} {:#?}", shown(&explored)));
        }
        all.push(explored);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let paths = || all.iter().flat_map(|explored| &explored.paths);
    assert_eq!(replayed(classes(), paths()), paths().count());
    let cases: Vec<TestCase> = paths().filter_map(|path| path.case.clone()).collect();
    assert_eq!(cases.len(), paths().count());
    junit_passes(&cases);
    all
}

/// Runs the JUnit source of tests.
fn junit_passes(cases: &[TestCase]) {
    let suites = junit_suites(cases, &JunitOptions::beside("typed.Typed", "Test", Junit::Five));
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

#[test]
fn objects_are_made_of_what_their_types_say() {
    all_paths_are(&[
        // Null; null, a long or a short string, in a box or beside one of four things in another one.
        ("Typed", "box", 1 + 3 + 4 * 3, 0, &["new_objects", "classes"]),
        ("Typed", "two", 1 + 2 * 2 + 1, 0, &["new_objects"]),
        ("Typed", "cell", 4, 0, &["new_objects"]),
        // Null; no, two and three elements, each of them null, a cell or an empty cell; one element.
        ("Typed", "nested", 1 + 1 + 9 + 27 + 4, 0, &["input_length", "new_objects", "sharing", "classes"]),
        // Null; of an entry the key is null or not, of a view there is one below it, maybe a view of null.
        ("Typed", "entry", 1 + 2 * 3 + 1 + 2 * 3 + 1, 0, &["new_objects", "nesting", "classes"]),
        // One enum stands for all.
        ("Typed", "constant", 1 + 7, 0, &["classes"]),
        // Null, and maps of up to three of seven constants; a null, and keys out of order, are refused.
        ("Typed", "keys", 1 + 1 + 7 * 2 + 21 * 4 + 35 * 8, 2803, &["input_length", "classes"]),
        ("Typed", "constants", 1 + 1 + 8 + 64 + 512, 0, &["input_length", "classes"]),
    ]);
}

/// Of an array that is as long as what is copied into it no length is tried that the copy refuses.
#[test]
fn copies_bound_the_arrays_that_they_fill() {
    all_paths_are(&[
        // Of null: a negative count, one beyond the limit of the JVM, any other. Of other sources the first
        // two, and for each length as many counts as fit and one that does not.
        ("Parts", "first", 3 + 2 + 2 + 3 + 4 + 5, 0, &["input_length"]),
        // Null; no room or too much of it for each length; for each length a negative place, and each place
        // inside, where each string is null or not.
        ("Parts", "behind", 67, 0, &["input_length"]),
    ]);
}

#[test]
fn interfaces_with_several_methods_answer_inputs() {
    all_paths_are(&[
        ("Stands", "both", 5, 0, &["functions"]),
        ("Stands", "isShop", 2, 0, &["functions"]),
        ("Stands", "named", 3, 0, &["functions"]),
        ("Stands", "bag", 3, 0, &["functions"]),
        // A source that is made of null is refused; below one there is a stand-in.
        ("Stands", "reads", 4, 1, &["new_objects", "nesting", "functions"]),
        ("Stands$Register", "isOld", 3, 1, &["new_objects", "sharing", "functions"]),
        // No node, and one of a large or small value, whose next one would be nested too deep.
        ("Stands$Register", "sum", 1 + 2, 1, &["new_objects", "nesting", "functions"]),
        ("Stands$Shop", "sell", 3, 1, &["new_objects", "functions"]),
    ]);
}
