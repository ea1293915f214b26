//! Explorations with the tests of other versions, given as text.

use super::heaps::replayed;
use evergreen::Evergreen;
use evergreen::store::{Memory, Store};
use evergreen_java::classfile::find_jdk;
use evergreen_java::jvm::{LazyOptions, Options as JvmOptions};
use evergreen_java::replay::TestCase;
use evergreen_java::symbolic::Ints;
use evergreen_java::{
    Bounds, Exploration, Inputs, JavaFrontend, OldTests, Options, PathEnd, Program, Summary,
};
use evergreen_testing::tools::put_on_path;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// The classes of a source, compiled once.
pub(crate) fn compiled(source: &str) -> Vec<PathBuf> {
    static KNOWN: Mutex<BTreeMap<String, Vec<PathBuf>>> = Mutex::new(BTreeMap::new());
    if let Some(places) = KNOWN.lock().expect("no panic").get(source) {
        return places.clone();
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let name = source.split("public class ").nth(1).and_then(|rest| rest.split([' ', '{']).next());
    let file = folder.path().join(format!("{}.java", name.expect("a public class")));
    std::fs::write(&file, source).expect("a file can be written");
    let jdk = find_jdk().expect("these tests need a JDK");
    let program = Program::open(&[file], None, jdk).unwrap_or_else(|e| panic!("{e}"));
    let places = program.places.clone();
    // The program holds the compiled classes.
    std::mem::forget(program);
    KNOWN.lock().expect("no panic").insert(source.into(), places.clone());
    places
}

/// What a run found.
pub(crate) struct Run {
    pub paths: Vec<PathEnd>,
    pub retired: Vec<(usize, String)>,
    pub summary: Summary,
    pub solver_calls: u64,
}

impl Run {
    pub(crate) fn tests(&self) -> Vec<TestCase> {
        self.paths.iter().filter_map(|path| path.case.clone()).collect()
    }

    pub(crate) fn positions(&self) -> Vec<Vec<u32>> {
        self.paths.iter().map(|path| path.position.clone()).collect()
    }
}

/// Machine and store for versions of a class.
pub(crate) struct Subject {
    pub store: Arc<dyn Store>,
    pub lazy: Option<LazyOptions>,
    pub inputs: Inputs,
    pub bounds: Bounds,
}

impl Subject {
    pub(crate) fn new() -> Subject {
        let store = Arc::new(Memory::new(1 << 24));
        Subject { store, lazy: None, inputs: Inputs::default(), bounds: Bounds::default() }
    }

    pub(crate) fn begin(&self, source: &str) -> Exploration {
        put_on_path();
        let jdk = find_jdk().expect("these tests need a JDK");
        let program = Program::open(&compiled(source), None, jdk).unwrap_or_else(|e| panic!("{e}"));
        let store = self.store.clone();
        let make = move || Evergreen::builder().with_store(store.clone()).solver("z3").build();
        let options = JvmOptions { lazy: self.lazy.clone(), record: 100_000, ..JvmOptions::default() };
        let exploration = JavaFrontend::explore(program, Ints::Wrapped, options, Box::new(make));
        exploration.unwrap_or_else(|e| panic!("{e}"))
    }

    pub(crate) fn explore(&self, source: &str, method: &str, old: Option<OldTests>) -> Run {
        let mut exploration = self.begin(source);
        let methods = exploration.front.program().methods(Some(method)).unwrap_or_else(|e| panic!("{e}"));
        let options = Options { bounds: self.bounds.clone(), ..Options::default() };
        let run = match old {
            Some(old) => exploration.seeded(&methods[0], &self.inputs, options, old),
            None => exploration.entry(&methods[0], &self.inputs, options),
        };
        let mut run = run.unwrap_or_else(|e| panic!("{e}"));
        let mut paths = Vec::new();
        while let Some(path) = run.next_path() {
            paths.push(path);
        }
        let retired = run.retired().into_iter().map(|(number, why)| (number, why.to_string())).collect();
        let summary = run.summary();
        let trouble = run.oracle().trouble();
        assert!(trouble.wrong_models.is_empty() && trouble.error.is_none(), "{trouble:?}");
        let solver_calls = run.oracle().stats().solved;
        Run { paths, retired, summary, solver_calls }
    }

    pub(crate) fn fresh(&self, source: &str, method: &str) -> Run {
        self.explore(source, method, None)
    }

    pub(crate) fn update(&self, source: &str, method: &str, tests: Vec<TestCase>) -> Run {
        self.explore(source, method, Some(OldTests { tests, ..OldTests::default() }))
    }

    /// An unchanged program keeps every test as it is, and asks no solver.
    pub(crate) fn check_unchanged(&self, source: &str, method: &str) -> Run {
        let first = self.fresh(source, method);
        assert!(!first.tests().is_empty());
        let second = self.update(source, method, first.tests());
        assert_eq!(second.retired.first(), None);
        assert_eq!(second.positions(), first.positions());
        for (old, new) in first.paths.iter().zip(&second.paths) {
            assert_eq!((&old.case, &old.how, &old.inputs), (&new.case, &new.how, &new.inputs));
            assert_eq!(old.conditions, new.conditions);
        }
        let mut kept = 0..first.tests().len();
        for path in second.paths.iter().filter(|path| path.case.is_some()) {
            assert_eq!(path.seeds, [kept.next().expect("a test")]);
        }
        assert_eq!(second.solver_calls, 0, "{:?}", second.summary);
        second
    }
}

/// Updates the tests of one version to another; at least `least` are kept, and the real JVM takes every
/// reported path, branch by branch.
pub(crate) fn check_replayed(subject: &Subject, old: &str, new: &str, method: &str, least: usize) {
    let run = subject.update(new, method, subject.fresh(old, method).tests());
    let kept = run.paths.iter().filter(|path| !path.seeds.is_empty()).count();
    assert!(kept >= least, "{method}: {kept} kept, {:?}", run.retired);
    assert_eq!(replayed(&compiled(new), run.paths.iter()), run.paths.len());
}
