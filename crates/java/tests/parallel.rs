//! However many threads explore, and whatever the store knows: the same paths in the same order, with the
//! same inputs.

use evergreen::solver::{Command, Limits, Outcome, PipeSolver, Problem, Solver, SolverError};
use evergreen::store::{Memory, Store};
use evergreen::{Evergreen, Reuse, Trust};
use evergreen_java::classfile::find_jdk;
use evergreen_java::heap::Technique;
use evergreen_java::jvm::{LazyOptions, Options as JvmOptions};
use evergreen_java::symbolic::Ints;
use evergreen_java::{
    Answers, Bound, Bounds, Detail, Exploration, Finished, How, Inputs, JavaFrontend, Opened, Options,
    PathEnd, Program, Summary, Team, Telling, invariants, keeping, with_workers,
};
use evergreen_testing::tools::{find, repository};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// All subjects of these tests, compiled once.
fn program() -> &'static Opened {
    static PROGRAM: OnceLock<Opened> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let folders = [
            "subjects/bintree/v0",
            "subjects/sortedlist/v0",
            "subjects/arbiter/v1",
            "subjects/parser",
            "subjects/euclid/v0",
            "subjects/heap",
            "crates/java/tests/java/parallel",
            "crates/replay/java/sym",
        ];
        let targets: Vec<PathBuf> = folders.iter().map(|folder| repository().join(folder)).collect();
        let jdk = find_jdk().expect("these tests need a JDK");
        let program = Program::open(&targets, None, jdk).unwrap_or_else(|e| panic!("{e}"));
        let opened = program.opened();
        // The program holds the compiled classes.
        std::mem::forget(program);
        opened
    })
}

/// What is explored.
#[derive(Clone, Copy)]
struct Subject {
    method: &'static str,
    depth: Option<usize>,
    heap: Option<(Technique, u32)>,
    paths: u64,
}

const SUBJECTS: [Subject; 9] = [
    Subject { method: "BinTreeDriver.add4", depth: None, heap: None, paths: 75 },
    Subject { method: "SortedListDriver.insert4", depth: None, heap: None, paths: 24 },
    Subject { method: "ArbiterDriver.events2", depth: None, heap: None, paths: 0 },
    Subject { method: "ParserDriver.length3", depth: None, heap: None, paths: 0 },
    Subject { method: "Euclid.gcd", depth: Some(10), heap: None, paths: 0 },
    Subject { method: "Products.area", depth: None, heap: None, paths: 0 },
    Subject { method: "Products.nearer", depth: None, heap: None, paths: 0 },
    Subject { method: "Products.many", depth: None, heap: None, paths: 32 },
    Subject { method: "heap.TreeSet.add", depth: None, heap: Some((Technique::Bliss, 3)), paths: 0 },
];

fn make(
    subject: &Subject,
    store: &Arc<dyn Store>,
    solver: Option<fn() -> Box<dyn Solver>>,
) -> Result<Exploration, String> {
    let _ = find("z3");
    let program = program().open().map_err(|e| e.to_string())?;
    let lazy = subject.heap.map(|(technique, scope)| LazyOptions {
        scope,
        technique,
        invariants: invariants(&program, &[]).unwrap_or_else(|e| panic!("{e}")),
        ..LazyOptions::default()
    });
    let options = JvmOptions { lazy, record: 10_000, ..JvmOptions::default() };
    let own = store.clone();
    let make = move || {
        let builder = Evergreen::builder().with_store(own.clone()).reuse(Reuse::Full);
        match solver {
            // What is built in would leave it nothing to do.
            Some(solver) => builder.native(false).with_solver(solver()),
            None => {
                let command = Command::parse(&find("z3").to_string_lossy()).expect("a command");
                builder.with_solver(Box::new(PipeSolver::new(command, Limits::default()).keeping_stack()))
            }
        }
        .build()
    };
    let mut exploration =
        JavaFrontend::explore(program, Ints::Wrapped, options, Box::new(make)).map_err(|e| e.to_string())?;
    exploration.front.make_lazy(keeping(store.clone(), Trust::Local, String::new()));
    Ok(exploration)
}

fn bounds(subject: &Subject) -> Bounds {
    Bounds { depth: subject.depth.or(Some(100)), steps: Some(100_000), ..Bounds::default() }
}

fn memory() -> Arc<dyn Store> {
    Arc::new(Memory::new(1 << 26))
}

/// All paths of a subject, in the order of the report.
fn explore(
    subject: &Subject,
    jobs: usize,
    store: &Arc<dyn Store>,
    bounds: &Bounds,
) -> (Vec<PathEnd>, Finished) {
    let all = |mut team: Team<'_>| {
        let program = program().open().unwrap_or_else(|e| panic!("{e}"));
        let methods = program.methods(Some(subject.method)).unwrap_or_else(|e| panic!("{e}"));
        let options = Options { bounds: bounds.clone(), ..Options::default() };
        let telling = Telling { detail: Detail::Full, shrinks: true, calls: true, lines: None, walks: 0 };
        let begun = team.entry(&methods[0], &Inputs::default(), options, None, telling);
        let mut paths = begun.unwrap_or_else(|e| panic!("{e}"));
        let mut reported: Vec<PathEnd> = Vec::new();
        while let Some(path) = paths.next_path() {
            reported.push((*path).clone());
            // Its memory is reused for other paths, which must not show.
            paths.give_back(path);
        }
        let done = paths.finish();
        let trouble = team.trouble();
        assert!(trouble.wrong_models.is_empty() && trouble.error.is_none(), "{trouble:?}");
        (reported, done)
    };
    if jobs == 1 {
        return all(Team::Alone(Box::new(make(subject, store, None).unwrap_or_else(|e| panic!("{e}")))));
    }
    with_workers(jobs, &|| make(subject, store, None), |workers| {
        if jobs == HURRIED {
            workers.set_room(1);
        }
        all(Team::Many(workers))
    })
}

/// So many threads have no room for ends that wait.
const HURRIED: usize = 5;

/// The counters that depend neither on time nor on the source of answers.
fn counted(summary: &Summary) -> Summary {
    Summary { elapsed: Duration::ZERO, answers: Answers::default(), ..summary.clone() }
}

#[test]
fn paths_and_inputs_do_not_depend_on_threads_or_stores() {
    for subject in &SUBJECTS {
        let store = memory();
        let (alone, done) = explore(subject, 1, &store, &bounds(subject));
        assert!(
            !alone.is_empty() && (subject.paths == 0 || done.tally.paths == subject.paths),
            "{}",
            subject.method
        );
        for (jobs, store) in
            [(1, store.clone()), (2, memory()), (4, memory()), (HURRIED, memory()), (3, store)]
        {
            let (together, finished) = explore(subject, jobs, &store, &bounds(subject));
            let name = format!("{} with {jobs} threads", subject.method);
            for (one, other) in alone.iter().zip(&together) {
                assert_eq!(one, other, "{name}");
            }
            assert_eq!(alone.len(), together.len(), "{name}");
            assert_eq!(counted(&finished.summary), counted(&done.summary), "{name}");
            assert_eq!(
                (finished.tally.paths, finished.tally.graphs),
                (done.tally.paths, done.tally.graphs),
                "{name}"
            );
            assert_eq!(
                (finished.tally.invalid, finished.tally.built),
                (done.tally.invalid, done.tally.built),
                "{name}"
            );
            assert_eq!(finished.arms, done.arms, "{name}");
        }
    }
}

/// Room for some hundred paths.
const ROOM: usize = 32 << 10;

/// More paths than may wait to be reported: a worker that is too far ahead parks its work, and helps at the
/// front.
#[test]
fn many_paths_are_reported_in_order_by_workers_that_park() {
    let subject = Subject { method: "BinTreeDriver.add7", depth: None, heap: None, paths: 47_293 };
    let inputs = |jobs: usize| {
        let store = memory();
        let all = |mut team: Team<'_>| {
            let program = program().open().unwrap_or_else(|e| panic!("{e}"));
            let methods = program.methods(Some(subject.method)).unwrap_or_else(|e| panic!("{e}"));
            let telling =
                Telling { detail: Detail::Brief, shrinks: false, calls: false, lines: None, walks: 0 };
            let begun = team.entry(&methods[0], &Inputs::default(), Options::default(), None, telling);
            let mut paths = begun.unwrap_or_else(|e| panic!("{e}"));
            let mut reported = Vec::new();
            while let Some(path) = paths.next_path() {
                reported.push(format!("{} {:?}", path.number, path.inputs));
                paths.give_back(path);
            }
            assert_eq!(paths.finish().tally.paths, subject.paths, "{jobs} threads");
            reported
        };
        if jobs == 1 {
            return all(Team::Alone(Box::new(
                make(&subject, &store, None).unwrap_or_else(|e| panic!("{e}")),
            )));
        }
        with_workers(jobs, &|| make(&subject, &store, None), |workers| {
            workers.set_room(ROOM);
            all(Team::Many(workers))
        })
    };
    let alone = inputs(1);
    let together = inputs(3);
    assert_eq!(alone.len(), together.len());
    let differs = alone.iter().zip(&together).find(|(one, other)| one != other);
    assert_eq!(differs, None);
}

#[test]
fn the_first_paths_are_reported_if_only_so_many_are_wanted() {
    let subject = &SUBJECTS[0];
    for most in [1, 7, 74, 75, 80] {
        let bounds = Bounds { paths: Some(most), ..bounds(subject) };
        let (alone, done) = explore(subject, 1, &memory(), &bounds);
        let (together, finished) = explore(subject, 3, &memory(), &bounds);
        assert_eq!(alone, together, "{most}");
        assert_eq!(alone.len() as u64, most.min(75));
        let cut = |done: &Finished| done.summary.cut.by(Bound::Paths);
        assert_eq!(cut(&finished), cut(&done), "what was open after {most}");
    }
}

/// A solver that fails, as one does whose process has ended.
struct Dead;

impl Solver for Dead {
    fn describe(&self) -> String {
        "dead".into()
    }
    fn check(&mut self, _: &Problem) -> Result<Outcome, SolverError> {
        Err(SolverError::Incomplete { text: "gone".into() })
    }
    fn starts(&self) -> u64 {
        0
    }
}

#[test]
fn a_solver_that_dies_leaves_arms_undecided_and_no_thread_waits() {
    let subject = &SUBJECTS[5];
    let store = memory();
    let make = || make(subject, &store, Some(|| Box::new(Dead)));
    let undecided = with_workers(3, &make, |workers| {
        let mut team = Team::Many(workers);
        let program = program().open().unwrap_or_else(|e| panic!("{e}"));
        let methods = program.methods(Some(subject.method)).unwrap_or_else(|e| panic!("{e}"));
        let telling = Telling { detail: Detail::Brief, shrinks: true, calls: false, lines: None, walks: 0 };
        let begun = team.entry(&methods[0], &Inputs::default(), Options::default(), None, telling);
        let mut paths = begun.unwrap_or_else(|e| panic!("{e}"));
        let reported: Vec<PathEnd> = std::iter::from_fn(|| paths.next_path()).map(|path| *path).collect();
        drop(paths.finish());
        reported.iter().filter(|path| matches!(path.how, How::Undecided { .. })).count()
    });
    assert!(undecided > 0);
}

/// A solver with a bug.
struct Panics;

impl Solver for Panics {
    fn describe(&self) -> String {
        "panics".into()
    }
    fn check(&mut self, _: &Problem) -> Result<Outcome, SolverError> {
        panic!("on purpose")
    }
    fn starts(&self) -> u64 {
        0
    }
}

/// The thread that asks for paths explores, too: with one worker there is no other.
#[test]
fn a_worker_that_panics_on_its_way_stops_all() {
    for jobs in [1, 2, 4] {
        let (subject, store) = (&SUBJECTS[5], memory());
        let make = || make(subject, &store, Some(|| Box::new(Panics)));
        let (first, again) = with_workers(jobs, &make, |workers| {
            let mut team = Team::Many(workers);
            let program = program().open().unwrap_or_else(|e| panic!("{e}"));
            let methods = program.methods(Some(subject.method)).unwrap_or_else(|e| panic!("{e}"));
            let telling =
                Telling { detail: Detail::Brief, shrinks: false, calls: false, lines: None, walks: 0 };
            let begun = team.entry(&methods[0], &Inputs::default(), Options::default(), None, telling);
            let mut paths = begun.unwrap_or_else(|e| panic!("{e}"));
            while paths.next_path().is_some() {}
            paths.finish();
            let first = team.trouble().error;
            let again = team.entry(&methods[0], &Inputs::default(), Options::default(), None, telling);
            (first, again.err().map(|e| e.to_string()))
        });
        let says = |error: &Option<String>| error.as_ref().is_some_and(|error| error.contains("on purpose"));
        assert!(says(&first) && says(&again), "{jobs} threads: {first:?}, {again:?}");
    }
}

/// The caller may stop asking for paths, and ask for those of another method.
#[test]
fn paths_that_are_not_asked_for_are_left_alone() {
    let (subject, store) = (&SUBJECTS[0], memory());
    with_workers(3, &|| make(subject, &store, None), |workers| {
        let mut team = Team::Many(workers);
        let program = program().open().unwrap_or_else(|e| panic!("{e}"));
        let methods = program.methods(Some(subject.method)).unwrap_or_else(|e| panic!("{e}"));
        let telling = Telling { detail: Detail::Brief, shrinks: false, calls: false, lines: None, walks: 0 };
        for some in [0, 1, 10, 40, 75] {
            let begun = team.entry(&methods[0], &Inputs::default(), Options::default(), None, telling);
            let mut paths = begun.unwrap_or_else(|e| panic!("{e}"));
            let reported: Vec<u64> =
                (0..some).filter_map(|_| paths.next_path()).map(|path| path.number).collect();
            assert!(reported.iter().copied().eq(1..=some), "{reported:?}");
            assert_eq!(paths.finish().tally.paths, some);
        }
    });
}

/// A bound of the whole exploration that is reached at once: no thread waits, and the report is a beginning
/// or has gaps, but is in order.
#[test]
fn an_interrupted_run_reports_what_was_found() {
    let subject = &SUBJECTS[0];
    let (all, _) = explore(subject, 1, &memory(), &bounds(subject));
    for after_ms in [0, 1, 5] {
        let bounds = Bounds { time: Some(Duration::from_millis(after_ms)), ..bounds(subject) };
        let (reported, done) = explore(subject, 3, &memory(), &bounds);
        let mut rest = all.iter();
        for path in &reported {
            assert!(rest.any(|one| one.position == path.position && one.inputs == path.inputs), "{path:?}");
        }
        assert!(reported.len() == all.len() || done.summary.cut.by(Bound::Time) > 0, "{:?}", done.summary);
    }
}

#[test]
fn a_worker_that_fails_or_panics_stops_all() {
    for panics in [false, true] {
        let made = AtomicUsize::new(0);
        let (subject, store) = (&SUBJECTS[0], memory());
        let make = || match made.fetch_add(1, Ordering::SeqCst) {
            1 if panics => panic!("on purpose"),
            1 => Err("on purpose".to_string()),
            _ => make(subject, &store, None),
        };
        let error = with_workers(3, &make, |workers| {
            let mut team = Team::Many(workers);
            let program = program().open().unwrap_or_else(|e| panic!("{e}"));
            let methods = program.methods(Some(subject.method)).unwrap_or_else(|e| panic!("{e}"));
            let telling =
                Telling { detail: Detail::Brief, shrinks: true, calls: false, lines: None, walks: 0 };
            for _ in 0..2 {
                let begun = team.entry(&methods[0], &Inputs::default(), Options::default(), None, telling);
                if let Ok(mut paths) = begun {
                    while paths.next_path().is_some() {}
                    paths.finish();
                }
            }
            team.trouble().error
        });
        assert!(error.is_some_and(|error| error.contains("on purpose")), "{panics}");
    }
}
