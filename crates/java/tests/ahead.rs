//! Initializers that run once for all paths: paths take over what they did, as if they had run there, and run
//! them where they would do something else. The JVM takes the same branches in the same order.

use crate::exploring::heaps::{compiled, replayed};
use evergreen::store::{Memory, Store};
use evergreen::{Evergreen, Reuse};
use evergreen_java::classfile::find_jdk;
use evergreen_java::jvm::Options as JvmOptions;
use evergreen_java::symbolic::Ints;
use evergreen_java::{Exploration, How, Inputs, JavaFrontend, Options, PathEnd, Program, source_text};
use evergreen_testing::tools::find;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// Instructions of the smallest initializer of a table.
const OF_A_TABLE: u64 = 20_000;

fn classes() -> &'static [PathBuf] {
    static PLACES: OnceLock<Vec<PathBuf>> = OnceLock::new();
    PLACES.get_or_init(|| compiled("crates/java/tests/java/ahead"))
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

/// The paths of a method, what they return, and the instructions of all of them.
fn explored(exploration: &mut Exploration, name: &str) -> (Vec<PathEnd>, Vec<String>, u64) {
    let all = exploration.front.program().methods(None).unwrap_or_else(|e| panic!("{e}"));
    let method = all.iter().find(|method| *method.name == *name).expect("a method of the class").clone();
    let mut run = exploration
        .entry(&method, &Inputs::default(), Options::default())
        .unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut paths = Vec::new();
    while let Some(path) = run.next_path() {
        paths.push(path);
    }
    let instructions = run.summary().instructions;
    assert_eq!(run.tally().unsupported, 0, "{name}");
    let returned = |path: &PathEnd| match &path.how {
        How::Returned(Some(value)) => source_text(value),
        other => panic!("{name}: {other:?}"),
    };
    let mut results: Vec<String> = paths.iter().map(returned).collect();
    results.sort();
    (paths, results, instructions)
}

#[test]
fn tables_are_made_once_for_all_paths() {
    let mut exploration = exploration();
    let (paths, results, instructions) = explored(&mut exploration, "tables");
    assert_eq!(results, ["-1", "13", "13059", "13731", "482", "49", "64"]);
    assert!(instructions < OF_A_TABLE, "{instructions} instructions");
    assert_eq!(replayed(classes(), paths.iter()), paths.len());
}

#[test]
fn an_initializer_that_reads_something_else_runs() {
    let mut exploration = exploration();
    let (paths, results, _) = explored(&mut exploration, "changed");
    assert_eq!(results, ["200", "300", "9"]);
    assert_eq!(replayed(classes(), paths.iter()), paths.len());
    let (paths, results, _) = explored(&mut exploration, "written");
    assert_eq!(results, ["154", "155", "3"]);
    assert_eq!(replayed(classes(), paths.iter()), paths.len());
}

#[test]
fn initializers_take_effect_in_the_order_of_the_path() {
    let mut exploration = exploration();
    let (paths, results, _) = explored(&mut exploration, "ordered");
    let expected =
        ["\"first 4498500\"", "\"first 4498500second -4498500\"", "\"second -4498500first 4498500\""];
    assert_eq!(results, expected);
    assert_eq!(replayed(classes(), paths.iter()), paths.len());
    // What it prints is printed on the path.
    let (paths, results, _) = explored(&mut exploration, "loud");
    assert_eq!(results, ["-4498500", "0", "4498500"]);
    assert_eq!(replayed(classes(), paths.iter()), paths.len());
}
