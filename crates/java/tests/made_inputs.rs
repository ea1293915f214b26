//! Objects as inputs that constructors and factories make: as many paths as there are, the calls in their
//! tests, and the same branches on the real JVM and under JUnit.

use crate::exploring::heaps::{Explored, compiled, explore, replayed};
use evergreen::store::{Memory, Store};
use evergreen::{Evergreen, Reuse};
use evergreen_java::classfile::find_jdk;
use evergreen_java::jvm::{InputBound, LazyOptions, Options as JvmOptions};
use evergreen_java::replay::{
    Fate, JavaValue, Junit, JunitJars, JunitOptions, TestCase, junit_suites, run_junit,
};
use evergreen_java::symbolic::Ints;
use evergreen_java::{Exploration, How, Inputs, JavaFrontend, Narrowings, PathEnd, Program, source_text};
use evergreen_service::{Bounds, Options};
use evergreen_testing::tools::{find, put_on_path};
use std::collections::BTreeSet;
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
        ("Makers$Matrix", "isSquare", 4, 4, &["input_length", "new_objects"]),
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
        // Null. Three rounds: each may be the end, have a null or empty row, or go on in three ways.
        ("sum", 1 + 3 + 3 * (3 + 3 * (3 + 3)), 0, &["input_length", "sharing"]),
        ("ranges", 23, 11, &["input_length", "sharing"]),
        ("order", 22, 0, &["input_length", "classes"]),
        // The length of a string is only compared.
        ("anything", 6, 0, &["classes"]),
        ("table", 16, 1 + 11 + 55, &["input_length", "classes"]),
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

/// A function answers the same for the same arguments; the real JVM takes the same branches, those of default
/// methods too.
#[test]
fn functions_have_answers() {
    // Method, paths, bounds that were met.
    let expected: [(&str, u64, &[&str]); 19] = [
        // Null; the numbers are the same, or the answers are, or none.
        ("pure", 4, &["functions"]),
        ("cycle", 6, &["functions"]),
        ("count", 1 + 4, &["functions"]),
        ("text", 11, &["functions"]),
        ("priced", 3, &["functions"]),
        ("larger", 3, &["functions"]),
        ("nodes", 4 + 2 + 3 + 3 + 3, &["sharing", "functions"]),
        ("made", 4, &["sharing", "functions"]),
        ("run", 4, &["functions"]),
        ("called", 3, &["functions"]),
        ("nested", 5, &["sharing", "functions"]),
        ("zeros", 5, &["functions"]),
        // Answers 0 to 7 end the loop; it may go on.
        ("loop", 1 + 8, &["functions", "answers"]),
        ("sum", 6, &["functions"]),
        ("grown", 1 + 1 + 1 + 2 + 4 + 8, &["input_length", "sharing", "classes", "functions"]),
        ("sorted", 4, &["functions"]),
        // No function: the type of its answer is that of an argument.
        ("visited", 1, &["references"]),
        ("hidden", 3, &["functions"]),
        ("uncalled", 2, &[]),
    ];
    let mut exploration = exploration(None);
    let (mut paths, mut wrong) = (Vec::new(), Vec::new());
    for (method, count, met) in expected {
        let explored = explore(&mut exploration, "made/Functions", method);
        let (tally, all) = (&explored.tally, shown(&explored));
        if (tally.paths, tally.unsupported, &bounds(&explored)[..]) != (count, 0, met) {
            let unsupported = tally.unsupported;
            wrong.push(format!(
                "{method}: {} paths, {unsupported} unsupported, {:?} {all:#?}",
                tally.paths,
                bounds(&explored)
            ));
        }
        match method {
            "pure" => assert!(
                all.iter().any(|inputs| inputs.starts_with("f = IntUnaryOperator(0 -> 0), x = 0, y = 0"))
            ),
            "priced" => {
                assert_eq!(all[1], "price = Price((\"tea\", 1) -> 101, (\"tea\", 2) -> 0)");
            }
            _ => {}
        }
        paths.extend(explored.paths);
    }
    assert_eq!(replayed(classes(), paths.iter()), paths.len());
    let cases: Vec<TestCase> = paths.iter().filter_map(|path| path.case.clone()).collect();
    junit_passes(&cases);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What `functions_have_answers` counts, by trying all functions of a few numbers: every outcome that one of
/// them has is on a path, and no path has another.
#[test]
fn functions_have_the_outcomes_of_all_functions() {
    let mut exploration = exploration(None);
    let explored = explore(&mut exploration, "made/Functions", "cycle");
    let returned = |path: &PathEnd| match path.how {
        How::Returned(Some(JavaValue::Boolean(is))) => Some(is),
        _ => None,
    };
    let found: BTreeSet<bool> = explored.paths.iter().filter_map(returned).collect();
    // All functions from 0..4 to 0..4.
    let mut tried = BTreeSet::new();
    for code in 0..4usize.pow(4) {
        let f = |x: usize| code / 4usize.pow(x as u32) % 4;
        let (one, two) = (f(0), f(f(0)));
        tried.insert(one != 0 && two != 0 && two != one && f(two) == 0);
    }
    assert_eq!(found, tried);
    // The method that would tell an impure function has no such path.
    let explored = explore(&mut exploration, "made/Functions", "pure");
    let ends: BTreeSet<String> = explored.paths.iter().map(|path| format!("{:?}", path.how)).collect();
    assert!(!ends.iter().any(|end| end.contains("Int(1)") || end.contains("Int(2)")), "{ends:?}");
}

#[test]
fn maps_are_made() {
    let expected: [(&str, u64, &[&str]); 7] = [
        // Below, at or above the only key; the same for two keys, whose values may be null.
        ("get", 2 + 7 + 24, &["input_length", "classes"]),
        ("sum", 18, &["input_length", "classes"]),
        ("ordered", 8, &["input_length"]),
        ("linked", 65, &["input_length"]),
        ("colors", 10, &["input_length", "classes"]),
        ("unknown", 2, &["input_length", "references", "classes"]),
        ("iterated", 8, &["input_length", "classes"]),
    ];
    let mut exploration = exploration(None);
    exploration.front.jvm.options.input_length = 2;
    let (mut paths, mut wrong) = (Vec::new(), Vec::new());
    for (method, count, met) in expected {
        let explored = explore(&mut exploration, "made/Maps", method);
        let (tally, all) = (&explored.tally, shown(&explored));
        if (tally.paths, tally.unsupported, &bounds(&explored)[..]) != (count, 0, met) {
            let unsupported = tally.unsupported;
            wrong.push(format!(
                "{method}: {} paths, {unsupported} unsupported, {:?} {all:#?}",
                tally.paths,
                bounds(&explored)
            ));
        }
        paths.extend(explored.paths);
    }
    assert_eq!(replayed(classes(), paths.iter()), paths.len());
    let cases: Vec<TestCase> = paths.iter().filter_map(|path| path.case.clone()).collect();
    junit_passes(&cases);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Objects of the JDK are made by a few plain calls, those of a class without calls of its own by the class
/// around it; what that leaves out is named.
#[test]
fn objects_of_the_jdk_are_made() {
    let expected: [(&str, &str, u64, u64, &[&str]); 15] = [
        ("Library", "isLate", 3, 0, &["new_objects", "classes"]),
        // Null, no byte; of some bytes the first is 7 or not.
        ("Library", "first", 1 + 1 + 2, 1, &["input_length", "new_objects", "classes"]),
        // Null; a key that is null; equal or not; a value that is null.
        ("Library", "isSame", 1 + 2 + 3, 0, &["new_objects", "classes"]),
        // The JDK takes off leading zeros and ones.
        ("Library", "isNegative", 23, 2, &["input_length", "new_objects", "classes"]),
        ("Library", "isEmpty", 2, 0, &["new_objects", "classes"]),
        ("Library", "cause", 3, 0, &["new_objects", "classes"]),
        ("Library", "isNumber", 2, 0, &["classes"]),
        ("Library", "constants", 2, 0, &["classes"]),
        ("Library", "zone", 1, 0, &["environment"]),
        ("Library$View", "isSmall", 2, 0, &["new_objects", "classes"]),
        // The factory's objects have a method of their own of that name.
        ("Library$View", "size", 0, 1, &["new_objects", "classes"]),
        // There is no object without one around it.
        ("Library$Inner", "fits", 2, 1, &["new_objects"]),
        ("Library$Plan", "isShort", 2, 0, &["classes"]),
        // A length of its own for each path; negative ones and those beyond the JVM are refused, none is cut.
        ("Library$Buffer", "copied", 4, 2, &["input_length", "new_objects"]),
        ("Library", "isArray", 2, 0, &["classes"]),
    ];
    let mut exploration = exploration(None);
    let (mut paths, mut wrong) = (Vec::new(), Vec::new());
    for (class, method, count, refused, met) in expected {
        let explored = explore(&mut exploration, &format!("made/{class}"), method);
        let (tally, all) = (&explored.tally, shown(&explored));
        let found = (tally.paths, tally.refused, tally.unsupported + tally.cut.values().sum::<u64>());
        if found != (count, refused, 0) || bounds(&explored) != met {
            wrong.push(format!("{class}.{method}: {found:?}, {:?} {all:#?}", bounds(&explored)));
        }
        paths.extend(explored.paths);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(replayed(classes(), paths.iter()), paths.len());
    // The zone is a property of the JVMs that replay; others may have none.
    let cases = paths.iter().filter_map(|path| path.case.clone()).filter(|case| case.target.method != "zone");
    junit_passes(&cases.collect::<Vec<TestCase>>());
}

/// A `final` field that every constructor sets to an object is never null in lazy objects.
#[test]
fn fields_that_constructors_set_are_never_null() {
    let mut exploration = exploration(Some(LazyOptions::default()));
    let mut paths = Vec::new();
    for (method, count, unsupported) in [("length", 4, 0), ("depth", 2, 0), ("open", 2, 0), ("locked", 1, 0)]
    {
        let explored = explore(&mut exploration, "made/Sets", method);
        let tally = &explored.tally;
        let thrown = explored.paths.iter().filter(|path| matches!(path.how, How::Threw { .. })).count();
        assert_eq!(thrown, usize::from(method == "open"), "{method} {:?}", shown(&explored));
        assert_eq!((tally.paths, tally.unsupported), (count, unsupported), "{method} {:?}", shown(&explored));
        paths.extend(explored.paths.into_iter().filter(|path| path.case.is_some()));
    }
    assert_eq!(replayed(classes(), paths.iter()), 4 + 2 + 2 + 1);
}

/// Explores methods and compares paths, refused ends and bounds; the JVM and JUnit take all tests.
fn check(exploration: &mut Exploration, expected: &[(&str, &str, u64, u64, &[&str])]) -> Vec<Vec<String>> {
    let (mut paths, mut wrong, mut inputs) = (Vec::new(), Vec::new(), Vec::new());
    for (class, method, count, refused, met) in expected {
        let explored = explore(exploration, &format!("made/{class}"), method);
        let (tally, all) = (&explored.tally, shown(&explored));
        let found = (tally.paths, tally.refused, tally.unsupported + tally.cut.values().sum::<u64>());
        if found != (*count, *refused, 0) || bounds(&explored) != *met {
            wrong.push(format!(
                "{class}.{method}: {found:?}, {:?} {:?} {all:#?}",
                bounds(&explored),
                tally.missing
            ));
        }
        inputs.push(all);
        paths.extend(explored.paths);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(replayed(classes(), paths.iter()), paths.len());
    let cases: Vec<TestCase> = paths.iter().filter_map(|path| path.case.clone()).collect();
    junit_passes(&cases);
    inputs
}

#[test]
fn builders_make_objects() {
    let met: &[&str] = &["new_objects", "classes"];
    // The name is null or not; a size of 7, which a builder has that nothing was said to, or another one.
    let inputs =
        check(&mut exploration(None), &[("Builders", "share", 4, 2, met), ("Builders", "isWide", 4, 0, met)]);
    assert!(inputs[0].contains(&"this = new Builder().build()".into()), "{inputs:?}");
    assert!(inputs[0].contains(&"this = new Builder().size(7).name(\"\").build()".into()), "{inputs:?}");
    assert!(inputs[1].contains(&"ticket = Maker.start().width(11L).build()".into()), "{inputs:?}");
}

#[test]
fn common_types_of_the_jdk_are_made() {
    let met: &[&str] = &["new_objects", "classes"];
    let text: &[&str] = &["input_length", "new_objects", "classes"];
    check(
        &mut exploration(None),
        &[
            ("Types", "isNoon", 3, 4, met),
            ("Types", "isNew", 16, 36, met),
            ("Types", "isUtc", 6, 43, met),
            ("Types", "isMay", 3, 4, &["new_objects", "classes", "environment"]),
            ("Types", "hasMore", 5, 1, text),
            ("Types", "isLong", 4, 0, met),
            ("Types", "zone", 2, 0, met),
            ("Types", "host", 2, 0, met),
            ("Types", "isSeven", 4, 0, met),
            ("Types", "isSmall", 4, 0, met),
            ("Types", "isOne", 4, 0, met),
            ("Types", "user", 2, 0, met),
            ("Types", "isEmpty", 8, 2, text),
            ("Types", "hasHigh", 3, 1, met),
            ("Types", "joined", 8, 1, text),
            ("Types", "isSet", 3, 0, met),
            ("Types", "isNamed", 3, 1, met),
        ],
    );
}

/// A lazy object has what its constructors give it, where that is an object of the JDK.
#[test]
fn fields_that_are_never_null_hold_objects_of_the_jdk() {
    check(
        &mut exploration(Some(LazyOptions::default())),
        &[
            // Nothing is next; the object itself; another one, before nothing, itself, the first or a third.
            ("Locks", "depth", 1 + 1 + 4, 0, &["new_objects", "classes"]),
            // No name; of some the first is null, "a" or another one, the others are null or not.
            ("Locks", "isNamed", 1 + 3 + 3 * 2 + 3 * 4, 0, &["input_length", "classes"]),
            ("Locks", "isKnown", 1, 0, &["new_objects", "classes"]),
        ],
    );
}

/// The paths of a method, random walks too, and how many walks there are.
fn walked(class: &str, method: &str, most: u32) -> (Vec<PathEnd>, u64, Vec<&'static str>) {
    let mut exploration = exploration(None);
    let all = exploration.front.program().methods(None).unwrap_or_else(|e| panic!("{e}"));
    let found = all.iter().find(|m| *m.class == *class && *m.name == *method);
    let method = found.unwrap_or_else(|| panic!("no method {class}.{method}")).clone();
    let run = exploration.entry(&method, &Inputs::default(), Options::default());
    let mut run = run.unwrap_or_else(|e| panic!("{e}")).walking(most);
    let paths: Vec<PathEnd> = run.by_ref().collect();
    assert!(run.summary().is_complete() && run.tally().unsupported == 0, "{:?}", run.tally());
    assert_eq!(run.tally().paths, paths.len() as u64);
    let bounds = run.tally().narrowings().map(|(bound, _)| bound.name()).collect();
    (paths, run.tally().walks, bounds)
}

/// Walks add tests and no bound: what is said of the paths is what was said without them.
#[test]
fn random_walks_take_arms_that_no_path_takes() {
    for (class, method, paths, walks) in [
        ("made/Changed$Rows", "sign", 1, 2..=4),
        ("made/Changed", "blocks", 8, 1..=1),
        ("made/Changed", "dead", 3, 0..=0),
    ] {
        let (without, none, bounds) = walked(class, method, 0);
        assert_eq!((without.len(), none), (paths, 0), "{method}");
        let (all, count, same) = walked(class, method, 2_000);
        assert!(walks.contains(&count), "{method}: {count}");
        assert_eq!((all.len() as u64, same), (paths as u64 + count, bounds), "{method}");
        let results =
            |paths: &[PathEnd]| paths.iter().map(|p| format!("{:?}", p.how)).collect::<BTreeSet<_>>();
        assert_eq!(results(&all[..paths]), results(&without), "{method}");
        assert_eq!(replayed(classes(), all.iter()), all.len());
        let (again, ..) = walked(class, method, 2_000);
        let inputs = |paths: &[PathEnd]| paths.iter().map(|p| format!("{:?}", p.inputs)).collect::<Vec<_>>();
        assert_eq!(inputs(&again), inputs(&all), "{method}");
        let cases: Vec<TestCase> = all.iter().filter_map(|path| path.case.clone()).collect();
        junit_passes(&cases);
    }
}

#[test]
fn objects_are_of_what_a_generic_receiver_was_made_of() {
    let mut exploration = exploration(None);
    let explored = explore(&mut exploration, "made/Changed$Solver", "isPositive");
    let all = shown(&explored);
    assert!(all.iter().all(|inputs| !inputs.contains("Ratio") && !inputs.contains("Single")), "{all:?}");
    let is_cast = |path: &&PathEnd| matches!(&path.how, How::Threw { class, .. } if class.contains("Cast"));
    assert_eq!(explored.paths.iter().filter(is_cast).count(), 0, "{all:?}");
    assert!(bounds(&explored).contains(&"classes"), "{:?}", bounds(&explored));
    assert_eq!(replayed(classes(), explored.paths.iter()), explored.paths.len());
}

#[test]
fn arrays_of_a_symbolic_length_are_made_by_reflection() {
    let mut exploration = exploration(None);
    let explored = explore(&mut exploration, "made/Changed", "rows");
    let left = (explored.tally.paths, explored.tally.sampled, explored.tally.unsupported);
    assert_eq!(left, (4, 0, 0), "{:?}", shown(&explored));
    assert_eq!(replayed(classes(), explored.paths.iter()), explored.paths.len());
}

/// A path may have 2,000,000 instructions, and the initializer of the class has more.
#[test]
fn initializers_may_take_more_instructions_than_paths() {
    let mut exploration = exploration(None);
    let all = exploration.front.program().methods(None).unwrap_or_else(|e| panic!("{e}"));
    let method = all.iter().find(|m| *m.name == *"isLarge").expect("the method").clone();
    let bounds = Bounds { steps: Some(2_000_000), ..Bounds::default() };
    let options = Options { bounds, ..Options::default() };
    let mut run = exploration.entry(&method, &Inputs::default(), options).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((run.by_ref().count(), run.summary().cut.total()), (2, 0));
}

/// A constructor that computes is left out where another one stores what it is given; results say so.
#[test]
fn laborious_constructors_are_left_out_if_there_are_others() {
    let mut exploration = exploration(None);
    let explored = explore(&mut exploration, "made/Spans$Span", "isLong");
    assert_eq!((explored.tally.paths, bounds(&explored)), (2, vec!["classes"]), "{:?}", shown(&explored));
    assert_eq!(replayed(classes(), explored.paths.iter()), 2);
    let explored = explore(&mut exploration, "made/Spans$Only", "isEmpty");
    assert_eq!((explored.tally.paths, bounds(&explored)), (16, vec![]), "{:?}", shown(&explored));
}

/// Classes are initialized in the order in which a test makes its objects.
#[test]
fn factories_are_initialized_behind_their_arguments() {
    let mut exploration = exploration(None);
    for (class, paths) in [("Whole", 3), ("Made", 3)] {
        let explored = explore(&mut exploration, &format!("made/Ordered${class}"), "isLarge");
        assert_eq!(explored.tally.paths, paths, "{class}: {:?}", shown(&explored));
        assert_eq!(replayed(classes(), explored.paths.iter()), explored.paths.len(), "{class}");
    }
}
