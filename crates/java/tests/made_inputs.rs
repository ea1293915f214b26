//! Objects as inputs that constructors and factories make: as many paths as there are, the calls in their
//! tests, and the same branches on the real JVM and under JUnit.

use crate::exploring::heaps::{Explored, compiled, explore, replayed};
use evergreen::store::{Memory, Store};
use evergreen::{Evergreen, Reuse};
use evergreen_java::classfile::find_jdk;
use evergreen_java::jvm::{InputBound, LazyOptions, Options as JvmOptions};
use evergreen_java::replay::{Fate, Junit, JunitJars, JunitOptions, TestCase, junit_suites, run_junit};
use evergreen_java::symbolic::Ints;
use evergreen_java::{Exploration, JavaFrontend, Narrowings, Program, source_text};
use evergreen_testing::tools::{find, put_on_path};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

fn classes() -> &'static [PathBuf] {
    static PLACES: OnceLock<Vec<PathBuf>> = OnceLock::new();
    PLACES.get_or_init(|| compiled("crates/java/tests/java/made"))
}

fn exploration(lazy: Option<LazyOptions>) -> Exploration {
    let _ = find("z3");
    let jdk = find_jdk().expect("these tests need a JDK");
    let program = Program::open(classes(), None, jdk).unwrap_or_else(|e| panic!("{e}"));
    let store: Arc<dyn Store> = Arc::new(Memory::new(1 << 24));
    let make = move || Evergreen::builder().with_store(store.clone()).solver("z3").reuse(Reuse::Full).build();
    let options = JvmOptions { lazy, record: 100_000, ..JvmOptions::default() };
    JavaFrontend::explore(program, Ints::Wrapped, options, Box::new(make)).unwrap_or_else(|e| panic!("{e}"))
}

/// The inputs of each path, in order.
fn shown(explored: &Explored) -> Vec<String> {
    let one = |inputs: &[(String, evergreen_java::replay::JavaValue)]| {
        let all = inputs.iter().map(|(name, value)| format!("{name} = {}", source_text(value)));
        all.collect::<Vec<_>>().join(", ")
    };
    explored.paths.iter().map(|path| one(&path.inputs)).collect()
}

/// The bounds that inputs have met.
fn bounds(explored: &Explored) -> Vec<&'static str> {
    explored.tally.narrowings().map(|(bound, _)| bound.name()).collect()
}

/// Runs the JUnit source of tests.
fn junit_passes(cases: &[TestCase]) {
    let options = JunitOptions::beside("made.Makers", "Test", Junit::Five);
    let suites = junit_suites(cases, &options);
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
fn constructors_and_factories_make_objects() {
    // Class, method, paths, ends that constructors refuse, bounds that were met.
    let expected: [(&str, &str, u64, u64, &[&str]); 12] = [
        ("Makers", "range", 3, 1, &[]),
        ("Makers", "pair", 6, 3, &["sharing"]),
        ("Makers", "money", 3, 1, &["new_objects"]),
        // Null, three squares, and lines of null, no, one, two and three ends.
        ("Makers", "shape", 1 + 3 + 4, 1, &["input_length", "new_objects"]),
        ("Makers", "color", 3, 0, &[]),
        ("Makers", "box", 2 * 3 * 2 + 3, 0, &[]),
        ("Makers", "chain", 3, 0, &["nesting"]),
        ("Makers$Range", "has", 3, 1, &[]),
        ("Makers$Fraction", "isWhole", 2, 1, &[]),
        ("Makers$Matrix", "isSquare", 4, 4, &["new_objects"]),
        ("Makers$Money", "isLarge", 2, 1, &["new_objects"]),
        ("Makers$Counter", "next", 3, 0, &["new_objects"]),
    ];
    let mut exploration = exploration(None);
    let mut paths = Vec::new();
    for (class, method, count, refused, met) in expected {
        let explored = explore(&mut exploration, &format!("made/{class}"), method);
        let tally = &explored.tally;
        let all = shown(&explored);
        assert_eq!((tally.paths, tally.refused), (count, refused), "{class}.{method} {all:?} {tally:?}");
        assert_eq!((tally.unsupported, bounds(&explored)), (0, met.to_vec()), "{class}.{method} {all:?}");
        match method {
            "money" => assert_eq!(all, ["m = null", "m = Money.of(1001L)", "m = Money.of(0L)"]),
            "isWhole" => assert_eq!(all, ["this = new Fraction(0, 1)", "this = new Fraction(1, 2)"]),
            "next" => {
                assert_eq!(all, ["this = new Counter()", "this = new Counter(6)", "this = new Counter(0)"]);
            }
            _ => {}
        }
        paths.extend(explored.paths);
    }
    // The JVM takes the same branches, those of the constructors too.
    assert_eq!(replayed(classes(), paths.iter()), paths.len());
    let cases: Vec<TestCase> = paths.iter().filter_map(|path| path.case.clone()).collect();
    junit_passes(&cases);
}

#[test]
fn collections_and_arrays_are_made() {
    let expected: [(&str, u64, u64, &[&str]); 9] = [
        // Null and empty; one number is large, small or null. A null ends the loop, what comes after it is
        // null or not.
        ("large", 2 + 3 + (4 + 2 + 2) + (8 + 4 + 2 * 2 + 4), 0, &["input_length", "classes"]),
        ("clear", 2 + 3 + 3 * 3 + 3 * 3 * 3, 0, &["input_length", "classes"]),
        // A tree set refuses null, and forks where it compares.
        ("first", 36, 13, &["input_length", "classes"]),
        ("text", 6, 1, &["input_length"]),
        ("sum", 329, 0, &["input_length", "sharing"]),
        ("ranges", 23, 11, &["input_length", "sharing"]),
        ("order", 22, 0, &["input_length", "classes"]),
        // The length of a string is only compared.
        ("anything", 6, 0, &["classes"]),
        // Not made, and so told.
        ("table", 1, 0, &["references"]),
    ];
    let mut exploration = exploration(None);
    let mut paths = Vec::new();
    for (method, count, refused, met) in expected {
        let explored = explore(&mut exploration, "made/Holders", method);
        let (tally, all) = (&explored.tally, shown(&explored));
        assert_eq!((tally.paths, tally.refused, tally.unsupported), (count, refused, 0), "{method} {all:#?}");
        assert_eq!(bounds(&explored), met, "{method}");
        match method {
            "text" => assert_eq!(all[1..3], ["text = Optional.empty()", "text = Optional.of(\"\")"]),
            "large" => assert_eq!(all[4..7], ["numbers = [null]", "numbers = [6, 6]", "numbers = [6, 0]"]),
            _ => {}
        }
        paths.extend(explored.paths);
    }
    assert_eq!(replayed(classes(), paths.iter()), paths.len());
    let cases: Vec<TestCase> = paths.iter().filter_map(|path| path.case.clone()).collect();
    junit_passes(&cases);
}

/// Without nesting, objects are null, and nothing else is claimed.
#[test]
fn objects_that_are_not_made_are_told() {
    let mut exploration = exploration(None);
    exploration.front.jvm.options.nesting = 0;
    let explored = explore(&mut exploration, "made/Makers", "range");
    assert_eq!(shown(&explored), ["r = null"]);
    assert!(explored.tally.narrowed(InputBound::Nesting) > 0);
    let explored = explore(&mut exploration, "made/Makers$Fraction", "isWhole");
    assert_eq!((explored.tally.paths, explored.tally.unsupported), (0, 1));
}

/// A record is what its constructor makes, in lazy objects too.
#[test]
fn records_are_made_beside_lazy_objects() {
    let mut exploration = exploration(Some(LazyOptions::default()));
    let mut paths = Vec::new();
    for (class, method, count, refused) in
        [("Makers", "range", 3, 1), ("Makers$Range", "has", 3, 1), ("Holder", "width", 4, 1)]
    {
        let explored = explore(&mut exploration, &format!("made/{class}"), method);
        let tally = &explored.tally;
        assert_eq!((tally.paths, tally.refused), (count, refused), "{:?} {tally:?}", shown(&explored));
        paths.extend(explored.paths);
    }
    assert_eq!(replayed(classes(), paths.iter()), paths.len());
    let cases: Vec<TestCase> = paths.iter().filter_map(|path| path.case.clone()).collect();
    junit_passes(&cases);
}
