//! Methods over lazy heaps, explored, and replayed on the real JVM branch by branch.

use evergreen::store::{Memory, Store};
use evergreen::{Evergreen, Reuse};
use evergreen_java::classfile::{Arm, find_jdk};
use evergreen_java::jvm::{LazyOptions, Options as JvmOptions, TakenArm, Way};
use evergreen_java::replay::{Observed, Probed, Probes, ReplayOptions, TestCase, replay};
use evergreen_java::symbolic::Ints;
use evergreen_java::{
    Bounds, Exploration, How, Inputs, JavaFrontend, MethodRef, Options, PathEnd, Program, Tally,
};
use evergreen_testing::tools::{find, repository};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The classes of all Java files of a folder of the repository.
pub(crate) fn compiled(folder: &str) -> Vec<PathBuf> {
    let folder = repository().join(folder);
    let files = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let files = files.map(|file| file.expect("a file").path());
    let sources: Vec<PathBuf> = files.filter(|f| f.extension().is_some_and(|e| e == "java")).collect();
    let jdk = find_jdk().expect("these tests need a JDK");
    let program = Program::open(&sources, None, jdk).unwrap_or_else(|e| panic!("{e}"));
    let places = program.places.clone();
    // The program holds the compiled classes.
    std::mem::forget(program);
    places
}

/// A machine for classes.
pub(crate) fn exploration(classes: &[PathBuf], lazy: LazyOptions) -> Exploration {
    let jdk = find_jdk().expect("these tests need a JDK");
    let _ = find("z3");
    let program = Program::open(classes, None, jdk).unwrap_or_else(|e| panic!("{e}"));
    let store: Arc<dyn Store> = Arc::new(Memory::new(1 << 24));
    let make = move || Evergreen::builder().with_store(store.clone()).solver("z3").reuse(Reuse::Full).build();
    let options = JvmOptions { lazy: Some(lazy), record: 100_000, ..JvmOptions::default() };
    JavaFrontend::explore(program, Ints::Wrapped, options, Box::new(make)).unwrap_or_else(|e| panic!("{e}"))
}

/// The paths of a method, with their tests.
pub(crate) struct Explored {
    pub paths: Vec<PathEnd>,
    pub tally: Tally,
}

/// Explores the first method of a class that has this name.
pub(crate) fn explore(exploration: &mut Exploration, class: &str, method: &str) -> Explored {
    let all = exploration.front.program().methods(None).unwrap_or_else(|e| panic!("{e}"));
    let is_meant = |m: &&MethodRef| *m.class == *class && *m.name == *method;
    let method = all.iter().find(is_meant).unwrap_or_else(|| panic!("no method {class}.{method}")).clone();
    // Loops over lists that only seem to be circular never end.
    let bounds = Bounds { depth: Some(200), steps: Some(100_000), ..Bounds::default() };
    let mut run = exploration
        .entry(&method, &Inputs::default(), Options { bounds, ..Options::default() })
        .unwrap_or_else(|e| panic!("{e}"));
    let mut paths = Vec::new();
    while let Some(path) = run.next_path() {
        paths.push(path);
    }
    let tally = run.tally().clone();
    assert!(exploration.oracle().trouble().wrong_models.is_empty(), "{:?}", exploration.oracle().trouble());
    Explored { paths, tally }
}

/// The probe of a branch that was taken.
fn number(probes: &Probes, taken: &TakenArm) -> Option<u32> {
    let way = match taken.way {
        Way::Taken => Arm::Taken,
        Way::Fallthrough => Arm::Fallthrough,
        Way::Case(index) => Arm::Case(index),
        Way::Default => Arm::Default,
    };
    let method = format!("{}{}", taken.method, taken.descriptor);
    let arms = probes.arms(&taken.class.replace('/', "."), &method, taken.offset);
    arms.iter().find(|(arm, _)| *arm == way).map(|(_, number)| *number)
}

/// Runs the tests of all paths; the JVM has to do the same, branch by branch.
pub(crate) fn replayed<'p>(classes: &[PathBuf], paths: impl Iterator<Item = &'p PathEnd>) -> usize {
    let jdk = find_jdk().expect("these tests need a JDK");
    let probes = Probes::plant(&jdk, classes, &Probed::All).unwrap_or_else(|e| panic!("{e}"));
    let mut cases: Vec<TestCase> = Vec::new();
    for path in paths.filter(|path| !matches!(path.how, How::Cut(_))) {
        let case = path.case.clone().unwrap_or_else(|| panic!("no test: {path:?}"));
        let taken = path.beyond.taken.as_ref().unwrap_or_else(|| panic!("no branches: {path:?}"));
        let arms = taken.iter().filter_map(|arm| number(&probes, arm)).collect();
        cases.push(TestCase { arms: Some(arms), ..case });
    }
    let options = ReplayOptions {
        cache: Some(Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")),
        ..ReplayOptions::default()
    };
    let results = replay(&jdk, classes, Some(&probes), &cases, &options).unwrap_or_else(|e| panic!("{e}"));
    for (case, result) in cases.iter().zip(&results.cases) {
        assert!(matches!(result.observed, Observed::Ended(_)), "{:?} with {case:?}", result.observed);
        assert!(result.divergence.is_none(), "{} with {case:?}", result.divergence.as_ref().unwrap());
    }
    cases.len()
}
