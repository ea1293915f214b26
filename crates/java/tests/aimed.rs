//! Samples that are aimed at branches: behind what has no symbols, inputs are searched for that take the
//! other way. What is found is sampled, and the JVM does the same.

use crate::exploring::heaps::{compiled, replayed};
use evergreen::store::{Memory, Store};
use evergreen::{Evergreen, Reuse};
use evergreen_java::classfile::find_jdk;
use evergreen_java::jvm::Options as JvmOptions;
use evergreen_java::symbolic::Ints;
use evergreen_java::{How, Inputs, JavaFrontend, Options, PathEnd, Program, Sampling};
use evergreen_testing::tools::find;
use std::sync::Arc;

fn explored(method: &str) -> Vec<PathEnd> {
    let _ = find("z3");
    let places = compiled("crates/java/tests/java/aimed");
    let jdk = find_jdk().expect("these tests need a JDK");
    let program = Program::open(&places, None, jdk).unwrap_or_else(|e| panic!("{e}"));
    let store: Arc<dyn Store> = Arc::new(Memory::new(1 << 24));
    let make = move || Evergreen::builder().with_store(store.clone()).solver("z3").reuse(Reuse::Full).build();
    let options = JvmOptions { record: 100_000, ..JvmOptions::default() };
    let mut exploration = JavaFrontend::explore(program, Ints::Wrapped, options, Box::new(make))
        .unwrap_or_else(|e| panic!("{e}"));
    let found = exploration.front.program().methods(Some(&format!("aimed.Far.{method}")));
    let target = found.unwrap_or_else(|e| panic!("{e}"))[0].clone();
    let options = Options { sampling: Sampling::Everywhere, ..Options::default() };
    let mut run = exploration.entry(&target, &Inputs::default(), options).unwrap_or_else(|e| panic!("{e}"));
    let mut paths = Vec::new();
    while let Some(path) = run.next_path() {
        paths.push(path);
    }
    assert!(run.summary().sampled > 0, "{method} is not sampled");
    assert_eq!(replayed(&places, paths.iter()), paths.len());
    paths
}

/// How the paths end, each once.
fn ends(paths: &[PathEnd]) -> Vec<String> {
    let one = |path: &PathEnd| match &path.how {
        How::Returned(Some(value)) => evergreen_java::source_text(value),
        How::Threw { class, .. } => class.to_string(),
        other => panic!("{other:?}"),
    };
    let mut all: Vec<String> = paths.iter().map(one).collect();
    all.sort();
    all.dedup();
    all
}

#[test]
fn a_number_is_hit_behind_a_text() {
    assert_eq!(ends(&explored("equal")), ["1", "2"]);
}

#[test]
fn a_window_is_found_and_what_is_symbolic_stays_so() {
    assert_eq!(ends(&explored("window")), ["1", "2", "java.lang.IllegalStateException"]);
}

#[test]
fn moved_inputs_stay_on_the_path() {
    assert_eq!(ends(&explored("sum")), ["1", "2", "3"]);
}

#[test]
fn the_text_of_a_number_leads_to_the_number() {
    assert_eq!(ends(&explored("text")), ["1", "2"]);
    assert_eq!(ends(&explored("chosen")), ["1", "2", "3"]);
}

#[test]
fn a_text_that_is_compared_with_is_tried() {
    assert_eq!(ends(&explored("literal")), ["1", "2", "java.lang.NullPointerException"]);
}

#[test]
fn random_values_are_tried_as_long_as_a_way_is_open() {
    assert_eq!(ends(&explored("rare")), ["1", "2"]);
    assert_eq!(ends(&explored("summed")), ["1", "2", "java.lang.NullPointerException"]);
    // The values are the same each time, and they come to an end.
    let inputs =
        |paths: &[PathEnd]| paths.iter().map(|path| format!("{:?}", path.inputs)).collect::<Vec<_>>();
    let never = explored("never");
    assert_eq!(ends(&never), ["2"]);
    assert_eq!(inputs(&never), inputs(&explored("never")));
}
