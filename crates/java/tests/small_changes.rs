//! The cost, in solver calls, of a change that touches under a tenth of the paths: cold, and with the suite
//! and the store of the version before. These are the hardest versions: in
//! `docs/studies/incremental-study.md` the others make no calls.

use evergreen::solver::{Command, Limits, PipeSolver};
use evergreen::store::{Key, Memory, Store};
use evergreen::{Evergreen, Rung, Stats};
use evergreen_java::classfile::find_jdk;
use evergreen_java::jvm::Options as JvmOptions;
use evergreen_java::symbolic::Ints;
use evergreen_java::{Inputs, JavaFrontend, OldTests, Options, Program};
use evergreen_testing::tools::{find, repository};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

fn empty() -> Arc<dyn Store> {
    Arc::new(Memory::new(1 << 28))
}

/// A store with the entries of another one, in the order of their keys: counts do not depend on chance.
fn copy_of(store: &Arc<dyn Store>) -> Arc<dyn Store> {
    let mut entries = Vec::new();
    let mut keep = |key: &Key, value: &[u8]| {
        entries.push((*key, value.to_vec()));
        ControlFlow::Continue(())
    };
    store.visit(&mut keep).expect("memory does not fail");
    entries.sort();
    let copy = empty();
    entries.iter().for_each(|(key, value)| copy.put(key, value).expect("memory does not fail"));
    copy
}

struct Explored {
    paths: Vec<Vec<String>>,
    old: OldTests,
    stats: Stats,
}

fn explore(folder: &str, method: &str, store: &Arc<dyn Store>, old: OldTests, native: bool) -> Explored {
    let listed = std::fs::read_dir(repository().join("subjects").join(folder)).expect("a subject");
    let mut sources: Vec<PathBuf> = listed.map(|file| file.expect("a file").path()).collect();
    sources.sort();
    let program = Program::open(&sources, None, find_jdk().expect("a JDK")).unwrap_or_else(|e| panic!("{e}"));
    let method = program.methods(Some(method)).unwrap_or_else(|e| panic!("{e}")).remove(0);
    let store = store.clone();
    let make = move || {
        let z3 = PipeSolver::new(Command::new(find("z3")), Limits::default()).keeping_stack();
        let builder = Evergreen::builder().with_store(store.clone()).with_solver(Box::new(z3));
        builder.native(native).regulate(false).build()
    };
    let exploration = JavaFrontend::explore(program, Ints::Wrapped, JvmOptions::default(), Box::new(make));
    let mut exploration = exploration.unwrap_or_else(|e| panic!("{e}"));
    let run = exploration.seeded(&method, &Inputs::default(), Options::default(), old);
    let mut run = run.unwrap_or_else(|e| panic!("{e}")).without_shrinking();
    let (mut paths, mut tests) = (Vec::new(), Vec::new());
    while let Some(end) = run.next_path() {
        paths.push(end.conditions);
        tests.extend(end.case);
    }
    let trouble = run.oracle().trouble();
    assert!(trouble.wrong_models.is_empty() && trouble.error.is_none(), "{trouble:?}");
    Explored { paths, old: OldTests { tests, ..OldTests::default() }, stats: run.oracle().stats() }
}

#[test]
fn a_twentieth_of_the_solver_calls_at_most() {
    let mut found = Vec::new();
    // The solver that decides what is not reused; with the native core treemap makes no calls at all.
    let (by_both, by_solver): (&[bool], &[bool]) = (&[false, true], &[false]);
    for (subject, method, version, deciders) in [
        ("arbiter", "ArbiterDriver.events2", "deletion", by_both),
        ("arbiter", "ArbiterDriver.events2", "modification", by_both),
        ("treemap", "TreeMapDriver.operations4", "addition", by_solver),
    ] {
        for &native in deciders {
            let (base, version) = (format!("{subject}/v0"), format!("{subject}/{version}"));
            let store = empty();
            let before = explore(&base, method, &store, OldTests::default(), native);
            let cold = explore(&version, method, &empty(), OldTests::default(), native);
            let update = explore(&version, method, &copy_of(&store), before.old, native);
            assert_eq!(update.paths, cold.paths, "{version}");
            let (calls, stats) = (update.stats.solved, &update.stats);
            assert!(calls * 20 <= cold.stats.solved, "{version}: {calls} of {}", cold.stats.solved);
            let who = if native { "native" } else { "solver" };
            let (derived, nearby) = (stats.hits(Rung::Derived), stats.hits(Rung::Nearby));
            found.push(format!(
                "{version} {who}: {} cold, {calls}; {derived} derived, {nearby} nearby",
                cold.stats.solved
            ));
        }
    }
    // The remaining questions of arbiter are about states that only the new version has: no core of the old
    // one mentions them.
    let expected = [
        "arbiter/deletion solver: 66 cold, 2; 6 derived, 0 nearby",
        "arbiter/deletion native: 62 cold, 3; 6 derived, 0 nearby",
        "arbiter/modification solver: 80 cold, 2; 13 derived, 0 nearby",
        "arbiter/modification native: 76 cold, 3; 13 derived, 0 nearby",
        "treemap/addition solver: 58 cold, 0; 0 derived, 5 nearby",
    ];
    assert_eq!(found, expected);
}
