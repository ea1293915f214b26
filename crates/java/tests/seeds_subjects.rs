//! Every method of the subjects, with the tests of another run as seeds: those of the same version keep every
//! path, those of an older one change no path.

use evergreen::Evergreen;
use evergreen::store::{Memory, Store};
use evergreen_java::classfile::find_jdk;
use evergreen_java::heap::Technique;
use evergreen_java::jvm::{LazyOptions, Options as JvmOptions};
use evergreen_java::symbolic::Ints;
use evergreen_java::{
    Bounds, Exploration, Inputs, JavaFrontend, MethodRef, OldTests, Options, PathEnd, Program, Retirement,
    invariants,
};
use evergreen_testing::tools::{put_on_path, repository};
use std::path::PathBuf;
use std::sync::Arc;

const PATHS: u64 = 30;

fn sources(folder: &str) -> Vec<PathBuf> {
    let folder = repository().join(folder);
    let files = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut all: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    all.retain(|file| file.extension().is_some_and(|e| e == "java"));
    all.sort();
    all
}

/// A machine for a folder, and its methods.
fn begin(
    folder: &str,
    store: &Arc<dyn Store>,
    technique: Option<Technique>,
) -> (Exploration, Vec<MethodRef>) {
    put_on_path();
    let jdk = find_jdk().expect("these tests need a JDK");
    let program = Program::open(&sources(folder), None, jdk).unwrap_or_else(|e| panic!("{e}"));
    let known = invariants(&program, &[]).unwrap_or_else(|e| panic!("{e}"));
    let lazy =
        technique.map(|technique| LazyOptions { technique, invariants: known, ..LazyOptions::default() });
    let methods = program.methods(None).unwrap_or_else(|e| panic!("{e}"));
    let store = store.clone();
    let make = move || Evergreen::builder().with_store(store.clone()).solver("z3").build();
    let options = JvmOptions { lazy, ..JvmOptions::default() };
    let exploration = JavaFrontend::explore(program, Ints::Wrapped, options, Box::new(make));
    (exploration.unwrap_or_else(|e| panic!("{e}")), methods)
}

struct Explored {
    paths: Vec<PathEnd>,
    retired: Vec<(usize, Retirement)>,
    solver_calls: u64,
    is_cut: bool,
}

impl Explored {
    fn positions(&self) -> Vec<&[u32]> {
        self.paths.iter().map(|path| &*path.position).collect()
    }

    fn tests(&self) -> OldTests {
        let tests = self.paths.iter().filter_map(|path| path.case.clone()).collect();
        OldTests { tests, ..OldTests::default() }
    }
}

fn explore(exploration: &mut Exploration, method: &MethodRef, old: OldTests) -> Explored {
    let bounds = Bounds { depth: Some(40), paths: Some(PATHS), steps: Some(200_000), ..Bounds::default() };
    let options = Options { bounds, ..Options::default() };
    let before = exploration.oracle().stats().solved;
    let run = exploration.seeded(method, &Inputs::default(), options, old);
    let mut run = run.unwrap_or_else(|e| panic!("{method}: {e}"));
    let mut paths = Vec::new();
    while let Some(path) = run.next_path() {
        paths.push(path);
    }
    let retired = run.retired();
    let is_cut = run.summary().cut.total() > 0;
    let oracle = run.oracle();
    assert!(oracle.trouble().wrong_models.is_empty() && oracle.trouble().error.is_none(), "{method}");
    Explored { paths, retired, solver_calls: oracle.stats().solved - before, is_cut }
}

/// How many tests the methods of a folder have, and how many solver calls were made the second time.
fn unchanged(folder: &str, technique: Option<Technique>) -> (usize, u64) {
    let store: Arc<dyn Store> = Arc::new(Memory::new(1 << 24));
    let (mut exploration, methods) = begin(folder, &store, technique);
    let (mut tests, mut solver_calls) = (0, 0);
    for method in &methods {
        let first = explore(&mut exploration, method, OldTests::default());
        let second = explore(&mut exploration, method, first.tests());
        tests += first.tests().tests.len();
        solver_calls += second.solver_calls;
        assert_eq!(second.retired, [], "{method}");
        assert_eq!(second.positions(), first.positions(), "{method}");
        for (old, new) in first.paths.iter().zip(&second.paths).filter(|(old, _)| old.case.is_some()) {
            assert_eq!((&old.case, &old.how, &old.inputs), (&new.case, &new.how, &new.inputs), "{method}");
            assert_eq!(old.decisions, new.decisions);
            assert_eq!(new.seeds.len(), 1);
        }
    }
    (tests, solver_calls)
}

#[test]
fn unchanged_subjects_keep_their_tests() {
    for folder in [
        "subjects/account/v0",
        "subjects/intervalset/v0",
        "subjects/parser",
        "subjects/euclid/v0",
        "subjects/jdk",
    ] {
        let (tests, calls) = unchanged(folder, None);
        assert!(tests >= 30 && calls == 0, "{folder}: {calls} solver calls, {tests} tests");
    }
}

#[test]
fn unchanged_subjects_with_objects_keep_their_tests() {
    let (tests, calls) = unchanged("subjects/heap", Some(Technique::Bliss));
    assert!(tests > 400 && calls == 0, "{calls} solver calls, {tests} tests");
    // Where an arm leads only to inputs that are not valid, no test shows that it is feasible: its question
    // may be a new one.
    let (tests, calls) = unchanged("subjects/heap", Some(Technique::Li));
    assert!(tests > 400 && calls <= 2, "{calls} solver calls, {tests} tests");
}

/// Methods that both versions have, explored with the tests of the older one.
#[test]
fn updated_subjects_have_the_paths_of_a_fresh_exploration() {
    let mut kept = 0;
    for (older, newer) in [
        ("subjects/account/v0", "subjects/account/v1"),
        ("subjects/arbiter/v0", "subjects/arbiter/v1"),
        ("subjects/intervalset/v0", "subjects/intervalset/v1"),
        ("subjects/tcas/v0", "subjects/tcas/v1"),
        ("subjects/trityp/v0", "subjects/trityp/v1"),
    ] {
        let store: Arc<dyn Store> = Arc::new(Memory::new(1 << 24));
        let (mut old, methods) = begin(older, &store, None);
        let (mut new, news) = begin(newer, &store, None);
        let (mut tests, mut same) = (0, 0);
        for method in methods.iter().filter(|method| news.contains(method)) {
            let before = explore(&mut old, method, OldTests::default());
            let fresh = explore(&mut new, method, OldTests::default());
            let updated = explore(&mut new, method, before.tests());
            assert_eq!(updated.positions(), fresh.positions(), "{method}");
            for (fresh, updated) in fresh.paths.iter().zip(&updated.paths) {
                let kind = |path: &PathEnd| std::mem::discriminant(&path.how);
                assert_eq!((kind(fresh), fresh.case.is_some()), (kind(updated), updated.case.is_some()));
            }
            let seeded: usize = updated.paths.iter().map(|path| path.seeds.len()).sum();
            let shared = |why: &Retirement| matches!(why, Retirement::SamePath(_));
            let gone = updated.retired.iter().filter(|(_, why)| !shared(why)).count();
            let all = before.tests().tests.len();
            // What a bound keeps from being reached is neither kept nor retired.
            assert!(
                seeded + gone == all || updated.is_cut && seeded + gone < all,
                "{method}: {seeded} {gone} {all}"
            );
            tests += fresh.tests().tests.len();
            same += updated.paths.iter().filter(|path| !path.seeds.is_empty()).count();
        }
        assert!(same * 3 >= tests, "{newer}: {same} of {tests}");
        kept += same;
    }
    assert!(kept > 200, "{kept}");
}
