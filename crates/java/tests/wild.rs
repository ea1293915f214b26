//! What the classes of libraries do that small examples do not: caches that inputs index, checks of
//! overflows, calendars, clocks, resources, digests. Each was the reason why methods of a library were not
//! complete, and the real JVM takes the branches of all paths.

use crate::exploring::heaps::{compiled, replayed};
use evergreen::store::{Memory, Store};
use evergreen::{Evergreen, Reuse};
use evergreen_explore::Options;
use evergreen_java::classfile::find_jdk;
use evergreen_java::jvm::{Options as JvmOptions, SawChoice};
use evergreen_java::replay::JavaValue;
use evergreen_java::symbolic::Ints;
use evergreen_java::{
    Exploration, How, Inputs, JavaFrontend, JavaPath, JvmReplayer, Narrowings, PathEnd, Program, Replayer,
    Tally, source_text,
};
use evergreen_service::{Choice, Difference};
use evergreen_testing::tools::{find, repository};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

fn places() -> &'static [PathBuf] {
    static PLACES: OnceLock<Vec<PathBuf>> = OnceLock::new();
    PLACES.get_or_init(|| {
        let places = compiled("crates/java/tests/java/wild");
        let words = repository().join("crates/java/tests/java/wild/words.txt");
        std::fs::copy(words, places[0].join("wild/words.txt")).expect("a file can be written");
        places
    })
}

fn program() -> Program {
    let jdk = find_jdk().expect("these tests need a JDK");
    Program::open(places(), None, jdk).unwrap_or_else(|e| panic!("{e}"))
}

fn exploration() -> Exploration {
    let _ = find("z3");
    let store: Arc<dyn Store> = Arc::new(Memory::new(1 << 24));
    let make = move || Evergreen::builder().with_store(store.clone()).solver("z3").reuse(Reuse::Full).build();
    let options = JvmOptions { record: 100_000, ..JvmOptions::default() };
    JavaFrontend::explore(program(), Ints::Wrapped, options, Box::new(make)).unwrap_or_else(|e| panic!("{e}"))
}

/// The paths of a method, none of which is undecided, unsupported or sampled; and the bounds that it met.
fn whole(class: &str, method: &str) -> (Vec<PathEnd>, Vec<&'static str>) {
    let mut exploration = exploration();
    let all = exploration.front.program().methods(None).unwrap_or_else(|e| panic!("{e}"));
    let found = all.iter().find(|m| *m.class == *class && *m.name == *method);
    let method = found.unwrap_or_else(|| panic!("no method {class}.{method}")).clone();
    let mut run =
        exploration.entry(&method, &Inputs::default(), Options::default()).unwrap_or_else(|e| panic!("{e}"));
    let mut paths = Vec::new();
    while let Some(path) = run.next_path() {
        assert!(matches!(path.how, How::Returned { .. } | How::Threw { .. }), "{path:?}");
        paths.push(path);
    }
    let tally: Tally = run.tally().clone();
    let summary = run.summary();
    let trouble = &exploration.oracle().trouble().unknown;
    let left = (tally.unsupported, tally.sampled, summary.undecided);
    assert_eq!(left, (0, 0, 0), "{:?} {trouble:?}", tally.missing);
    let bounds = tally.narrowings().map(|(bound, _)| bound.name()).collect();
    (paths, bounds)
}

fn check(method: &str, paths: usize, bounds: &[&str]) -> Vec<PathEnd> {
    let (found, met) = whole("wild/Wild", method);
    let shown = |path: &PathEnd| {
        let one = |(name, value): &(String, JavaValue)| format!("{name} = {}", source_text(value));
        path.inputs.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    let inputs: Vec<String> = found.iter().map(shown).collect();
    assert_eq!((found.len(), &met[..]), (paths, bounds), "{method}: {inputs:?}");
    assert_eq!(replayed(places(), found.iter()), found.len());
    found
}

#[test]
fn a_cache_that_an_input_indexes_is_a_few_paths() {
    check("cached", 11, &[]);
}

#[test]
fn overflows_and_calendars_are_decided() {
    check("overflows", 3, &[]);
    check("isFirst", 3, &[]);
}

#[test]
fn resources_of_the_class_path_are_read() {
    check("words", 2, &[]);
    check("copied", 2, &[]);
}

#[test]
fn texts_in_upper_case_and_builders_with_a_capacity_are_few_paths() {
    check("upper", 161, &["input_length"]);
    check("padded", 2, &["input_length"]);
}

#[test]
fn objects_of_the_jdk_are_made() {
    check("digest", 2, &["new_objects", "classes", "environment"]);
    check("isOpen", 3, &["new_objects", "classes"]);
}

/// A proxy would initialize the classes of its parameters, and take branches that are on no path.
#[test]
fn functions_initialize_no_class() {
    check("handled", 3, &["functions"]);
}

/// How the tests of a method end on the JVM.
fn differences(method: &str, paths: Vec<PathEnd>) -> Vec<Option<Difference>> {
    let methods = program().methods(Some(method)).unwrap_or_else(|e| panic!("{e}"));
    let mut replayer = JvmReplayer::new(&program()).of(&methods);
    let tests = paths.into_iter().map(|path| {
        let beyond: JavaPath = path.beyond;
        (path.case.expect("a test"), beyond)
    });
    replayer.replay(tests.collect()).unwrap_or_else(|e| panic!("{e}"))
}

/// To list the fields of the inner class loads the outer one, whose initializer takes a branch.
#[test]
fn outer_classes_with_assertions_are_initialized_in_each_test() {
    let (paths, bounds) = whole("wild/Held$1", "hasNext");
    assert_eq!((paths.len(), bounds), (2, vec!["new_objects"]));
    assert_eq!(replayed(places(), paths.iter()), 2);
}

/// The objects of an enum are its constants, and of a body those that have it.
#[test]
fn methods_of_enums_are_called_on_their_constants() {
    for (class, method, count) in
        [("wild/Light", "after", 5), ("wild/Light", "isOn", 2), ("wild/Light$1", "isOn", 1)]
    {
        let (paths, bounds) = whole(class, method);
        assert_eq!((paths.len(), bounds), (count, vec![]), "{class}.{method}");
        assert_eq!(replayed(places(), paths.iter()), count);
        let is_constant =
            |path: &PathEnd| matches!(&path.inputs[0], (name, JavaValue::Enum { .. }) if name == "this");
        assert!(paths.iter().all(is_constant), "{class}.{method}");
    }
}

fn saw(paths: &[PathEnd]) -> Vec<SawChoice> {
    paths.iter().map(|path| path.beyond.saw_choice).collect()
}

#[test]
fn a_clock_that_makes_an_input_is_a_bound() {
    let (paths, bounds) = whole("wild/Wild$Clocked", "isEarly");
    assert_eq!(saw(&paths), [SawChoice::Before, SawChoice::Nowhere, SawChoice::Nowhere]);
    assert!(bounds.contains(&"classes"), "{bounds:?}");
}

#[test]
fn a_hash_code_in_an_initializer_is_a_bound() {
    let (paths, bounds) = whole("wild/Wild$Hashed", "odd");
    assert_eq!(saw(&paths), [SawChoice::Before; 2]);
    assert_eq!(bounds, ["environment"]);
    let all = differences("Hashed.odd", paths);
    let is_bounded =
        |one: &Option<Difference>| matches!(one, Some(Difference::Choice(Choice::Bounded)) | None);
    assert!(all.iter().all(is_bounded), "{all:?}");
}

#[test]
fn a_branch_on_the_clock_is_a_bound() {
    let (paths, bounds) = whole("wild/Wild", "now");
    assert_eq!((saw(&paths), bounds), (vec![SawChoice::Within; 2], vec!["environment"]));
}

/// Each has one path here, and another one on another machine or in another run.
#[test]
fn branches_on_the_environment_name_it() {
    let methods = [
        "ticks",
        "slow",
        "processors",
        "memory",
        "system",
        "flag",
        "locale",
        "charset",
        "separator",
        "threads",
        "identity",
        "hash",
        "day",
        "returned",
        "boxed",
        "kept",
        "collected",
        "ordered",
        "enums",
        "immutable",
        "random",
    ];
    for method in methods {
        let (_, bounds) = whole("wild/Answers", method);
        assert_eq!(bounds, ["environment"], "{method}");
    }
}

/// What is printed, returned or stored where nobody reads it leads to no other path.
#[test]
fn answers_that_no_branch_sees_are_no_bound() {
    let methods = [
        "printed",
        "elapsed",
        "stored",
        "given",
        "lines",
        "found",
        "counted",
        "compared",
        "written",
        "formatted",
    ];
    for method in methods {
        let (_, bounds) = whole("wild/Answers", method);
        assert!(bounds.is_empty(), "{method}: {bounds:?}");
    }
}

/// The name of the JVM is not known; that a test does not depend on it is seen on the JVM.
#[test]
fn properties_of_the_jvm_are_choices() {
    let (paths, bounds) = whole("wild/Wild", "newer");
    assert_eq!((saw(&paths), bounds), (vec![SawChoice::Nowhere], vec!["environment"]));
    assert_eq!(replayed(places(), paths.iter()), 1);
    let (paths, bounds) = whole("wild/Wild", "named");
    assert_eq!((saw(&paths), bounds), (vec![SawChoice::Within], vec![]));
    assert!(matches!(differences("Wild.named", paths)[..], [None]));
}

/// Generators without a seed have one here; the JVM has others, which tests show that do not depend on them.
#[test]
fn random_numbers_without_a_seed_are_choices() {
    for method in ["identified", "drawn", "safe"] {
        let (paths, bounds) = whole("wild/Wild", method);
        assert_eq!((saw(&paths), bounds), (vec![SawChoice::Within], vec!["environment"]), "{method}");
        assert!(matches!(differences(&format!("Wild.{method}"), paths)[..], [None]), "{method}");
    }
}

#[test]
fn prices_and_checksums_are_those_of_the_jvm() {
    check("price", 2, &[]);
    check("sum", 2, &[]);
}

#[test]
fn files_are_read_by_their_paths() {
    let paths = check("read", 2, &["environment"]);
    let missing = |path: &&PathEnd| match &path.how {
        How::Threw { class, .. } => class.ends_with("NoSuchFileException"),
        _ => false,
    };
    assert_eq!(paths.iter().filter(missing).count(), 1);
    let first = std::fs::read_to_string("Cargo.toml").expect("the manifest of this crate");
    let length = first.lines().next().map_or(0, str::len) as i32;
    assert!(
        paths.iter().any(|path| matches!(path.how, How::Returned(Some(JavaValue::Int(n))) if n == length))
    );
}
