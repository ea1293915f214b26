//! Every path of a method over lazy heaps has a test that makes its objects, and the real JVM takes the path's branches with them.

use evergreen::explore::classfile::{Arm, find_jdk};
use evergreen::explore::jvm::{LazyOptions, Options as JvmOptions, TakenArm, Unread, Way};
use evergreen::explore::replay::{Observed, Probed, Probes, Receiver, ReplayOptions, TestCase, replay};
use evergreen::explore::symbolic::Ints;
use evergreen::explore::{Bounds, Exploration, How, Inputs, Options, PathEnd, Program, Tally};
use evergreen::store::{Memory, Store};
use evergreen::{Evergreen, Reuse};
use evergreen_testing::tools::{find, repository};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The paths of a method, with their tests.
struct Explored {
    paths: Vec<PathEnd>,
    tally: Tally,
    places: Vec<PathBuf>,
    /// Holds the compiled classes.
    _exploration: Exploration,
}

fn explore(source: &Path, method: &str, lazy: LazyOptions) -> Explored {
    let jdk = find_jdk().expect("these tests need a JDK");
    let _ = find("z3");
    let program = Program::open(&[source.into()], None, jdk).unwrap_or_else(|e| panic!("{e}"));
    let places = program.places.clone();
    let method = program.methods(Some(method)).unwrap_or_else(|e| panic!("{e}")).remove(0);
    let store: Arc<dyn Store> = Arc::new(Memory::new(1 << 24));
    let make = move || Evergreen::builder().with_store(store.clone()).solver("z3").reuse(Reuse::Full).build();
    let options = JvmOptions { lazy: Some(lazy), record: 100_000, ..JvmOptions::default() };
    let mut exploration =
        Exploration::new(program, Ints::Wrapped, options, Box::new(make)).unwrap_or_else(|e| panic!("{e}"));
    let bounds = Bounds { depth: Some(200), ..Bounds::default() };
    let mut run = exploration
        .method(&method, &Inputs::default(), Options { bounds, ..Options::default() })
        .unwrap_or_else(|e| panic!("{e}"));
    let mut paths = Vec::new();
    while let Some(path) = run.next_path() {
        paths.push(path);
    }
    let tally = run.tally().clone();
    assert!(exploration.oracle().trouble().wrong_models.is_empty(), "{:?}", exploration.oracle().trouble());
    Explored { paths, tally, places, _exploration: exploration }
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
fn replayed(explored: &Explored) -> usize {
    let jdk = find_jdk().expect("these tests need a JDK");
    let probes = Probes::plant(&jdk, &explored.places, &Probed::All).unwrap_or_else(|e| panic!("{e}"));
    let mut cases: Vec<TestCase> = Vec::new();
    for path in explored.paths.iter().filter(|path| !matches!(path.how, How::Cut(_))) {
        let case = path.case.clone().unwrap_or_else(|| panic!("no test: {path:?}"));
        let taken = path.taken.as_ref().unwrap_or_else(|| panic!("no branches: {path:?}"));
        let arms = taken.iter().filter_map(|arm| number(&probes, arm)).collect();
        cases.push(TestCase { arms: Some(arms), ..case });
    }
    let options = ReplayOptions {
        cache: Some(Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")),
        ..ReplayOptions::default()
    };
    let results =
        replay(&jdk, &explored.places, Some(&probes), &cases, &options).unwrap_or_else(|e| panic!("{e}"));
    for (case, result) in cases.iter().zip(&results.cases) {
        assert!(matches!(result.observed, Observed::Ended(_)), "{:?} with {case:?}", result.observed);
        assert!(result.divergence.is_none(), "{} with {case:?}", result.divergence.as_ref().unwrap());
    }
    cases.len()
}

fn subject(name: &str) -> PathBuf {
    repository().join("subjects/heap").join(name)
}

#[test]
fn search_trees_by_their_own_check_are_made_and_replayed() {
    for (method, expected) in [("contains", 22), ("add", 22)] {
        let lazy = LazyOptions { scope: 3, unread: Unread::Search, ..LazyOptions::default() };
        let explored = explore(&subject("SearchTree.java"), method, lazy);
        assert_eq!(explored.tally.doubtful, 0, "{:?}", explored.tally);
        assert_eq!(replayed(&explored), expected);
        let given = |path: &PathEnd| path.case.as_ref().is_some_and(|c| c.target.receiver == Receiver::Given);
        assert!(explored.paths.iter().all(given));
        // What was read is a part of what was made.
        for path in &explored.paths {
            assert!(path.read.len() <= path.objects.len());
            for (read, whole) in path.read.iter().zip(&path.objects) {
                assert_eq!((&read.name, &read.class), (&whole.name, &whole.class));
                assert!(read.fields.iter().all(|field| whole.fields.contains(field)), "{read:?} {whole:?}");
            }
        }
    }
}
