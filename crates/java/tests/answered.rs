//! Every question is counted under exactly one source of its answer, whatever is turned on or off.
//!
//! What is compared comes different ways: the explorer counts branches and arms, the oracle its questions,
//! the solver its calls.

use evergreen::smtlib::Splitter;
use evergreen::solver::{Command, Limits, Outcome, PipeSolver, Problem, Solver, SolverError};
use evergreen::store::{Memory, Store};
use evergreen::{
    Answered, AnsweredBy, Budget, Cores, Engine, EngineOptions, Error, Evergreen, Fun, Int, Question, Reuse,
    Rung, Session, SessionOptions, SortId, Stats,
};
use evergreen_java::classfile::find_jdk;
use evergreen_java::jvm::Options as JvmOptions;
use evergreen_java::symbolic::Ints;
use evergreen_java::{
    Bounds, Detail, Finished, Inputs, JavaFrontend, OldTests, Opened, Options, Program, Shortcuts, Team,
    Telling, answered, with_workers,
};
use evergreen_testing::tools::{find, repository};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

const METHODS: [&str; 3] = ["twice", "implied", "bits"];
const LEVELS: [Reuse; 5] = [Reuse::None, Reuse::Exact, Reuse::Subset, Reuse::Logical, Reuse::Full];

fn program() -> &'static Opened {
    static PROGRAM: OnceLock<Opened> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let source = repository().join("crates/java/tests/java/answered");
        let jdk = find_jdk().expect("these tests need a JDK");
        let program = Program::open(&[source], None, jdk).unwrap_or_else(|e| panic!("{e}"));
        let opened = program.opened();
        // The program holds the compiled classes.
        std::mem::forget(program);
        opened
    })
}

fn memory() -> Arc<dyn Store> {
    Arc::new(Memory::new(1 << 24))
}

/// A solver that counts its calls.
struct Watched {
    solver: PipeSolver,
    calls: Arc<AtomicU64>,
}

impl Solver for Watched {
    fn describe(&self) -> String {
        self.solver.describe()
    }
    fn check(&mut self, problem: &Problem) -> Result<Outcome, SolverError> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.solver.check(problem)
    }
    fn check_apart(&mut self, problem: &Problem) -> Result<Outcome, SolverError> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.solver.check_apart(problem)
    }
    fn starts(&self) -> u64 {
        self.solver.starts()
    }
}

#[derive(Clone, Debug)]
struct Setting {
    reuse: Reuse,
    native: bool,
    slice: bool,
    ints: Ints,
    shortcuts: Shortcuts,
    jobs: usize,
}

struct Done {
    methods: Vec<Finished>,
    stats: Stats,
    /// Calls that the solver has seen.
    calls: u64,
}

fn explore(setting: &Setting, store: &Arc<dyn Store>, old: Option<&OldTests>) -> Done {
    let calls: Arc<AtomicU64> = Arc::default();
    let make = || {
        let (calls, store, setting) = (calls.clone(), store.clone(), setting.clone());
        let make = move || {
            let command = Command::parse(&find("z3").to_string_lossy()).expect("a command");
            let solver = PipeSolver::new(command, Limits::default());
            let builder = Evergreen::builder().with_store(store.clone()).reuse(setting.reuse);
            let builder = builder.native(setting.native).slice(setting.slice).regulate(false);
            builder.with_solver(Box::new(Watched { solver, calls: calls.clone() })).build()
        };
        let program = program().open().map_err(|e| e.to_string())?;
        JavaFrontend::explore(program, setting.ints, JvmOptions::default(), Box::new(make))
            .map_err(|e| e.to_string())
    };
    let all = |mut team: Team<'_>| {
        let mut methods = Vec::new();
        for name in METHODS {
            let program = program().open().unwrap_or_else(|e| panic!("{e}"));
            let method = &program.methods(Some(name)).unwrap_or_else(|e| panic!("{e}"))[0];
            let options =
                Options { shortcuts: setting.shortcuts, bounds: Bounds::default(), ..Options::default() };
            let telling =
                Telling { detail: Detail::Brief, shrinks: true, calls: false, lines: None, walks: 0 };
            let begun = team.entry(method, &Inputs::default(), options, old.cloned(), telling);
            let mut paths = begun.unwrap_or_else(|e| panic!("{e}"));
            while let Some(path) = paths.next_path() {
                paths.give_back(path);
            }
            methods.push(paths.finish());
        }
        (methods, team.stats().0)
    };
    let (methods, stats) = match setting.jobs {
        1 => all(Team::Alone(Box::new(make().unwrap_or_else(|e| panic!("{e}"))))),
        jobs => with_workers(jobs, &make, |workers| all(Team::Many(workers))),
    };
    Done { methods, stats, calls: calls.load(Ordering::Relaxed) }
}

/// Sums up the counters, and compares them with independent counters. Returns the questions about arms.
fn check(setting: &Setting, done: &Done) -> Answered {
    let (mut asked, mut shrinking) = (Answered::default(), Stats::default());
    for (name, Finished { summary, tally, .. }) in METHODS.iter().zip(&done.methods) {
        // Every branch of these methods has two arms.
        assert_eq!(summary.queries(), 2 * summary.branches, "{name}: {setting:?} {summary:?}");
        let own = answered(summary);
        assert_eq!(own.total(), summary.asked(), "{name}: {setting:?}");
        assert_eq!(own.total(), own.without_solver() + own.solved() + own.open());
        if setting.shortcuts == Shortcuts::None && setting.jobs == 1 {
            assert_eq!(summary.asked(), 2 * summary.branches, "{name}: {setting:?}");
        }
        asked.add_all(&own);
        shrinking.add_all(&tally.shrinking);
    }
    assert_eq!(shrinking.queries, shrinking.answered.total(), "{setting:?}");
    assert_eq!(done.stats.queries, done.stats.answered.total(), "{setting:?}");
    if setting.jobs == 1 {
        // The oracle's questions are the explorer's and those that make inputs small.
        let mut both = asked;
        both.add_all(&shrinking.answered);
        assert_eq!(done.stats.answered, both, "{setting:?}");
    }
    assert_eq!(
        done.calls,
        done.stats.solved + done.stats.settling.solver,
        "{setting:?}: calls of the solver"
    );
    let by = |rung: Rung| asked.by(AnsweredBy::Rung(rung));
    if setting.reuse == Reuse::None {
        assert_eq!(asked.without_solver(), asked.by(AnsweredBy::Path), "{setting:?}: {asked:?}");
    }
    if !setting.native {
        assert_eq!(by(Rung::Native), 0, "{setting:?}");
    }
    asked
}

fn settings(jobs: usize, levels: &[Reuse], shortcuts: &[Shortcuts]) -> Vec<Setting> {
    let mut all = Vec::new();
    for &reuse in levels {
        for native in [true, false] {
            for ints in [Ints::Wrapped, Ints::Math] {
                for &shortcuts in shortcuts {
                    // Slices are what a level of reuse works on; without reuse they make no difference to be
                    // seen here.
                    let both = reuse == Reuse::Exact && shortcuts == Shortcuts::None;
                    for slice in [true, false].into_iter().filter(|slice| *slice || both) {
                        all.push(Setting { reuse, native, slice, ints, shortcuts, jobs });
                    }
                }
            }
        }
    }
    all
}

/// Runs settings in threads of their own; each twice on its store, so that the second has what the first has
/// left.
fn check_all(all: &[Setting]) -> Answered {
    let next = AtomicU64::new(0);
    let work = || {
        let mut sum = Answered::default();
        while let Some(setting) = all.get(next.fetch_add(1, Ordering::Relaxed) as usize) {
            let store = memory();
            let cold = check(setting, &explore(setting, &store, None));
            let warm = check(setting, &explore(setting, &store, None));
            if setting.reuse != Reuse::None {
                assert_eq!(warm.solved(), 0, "{setting:?}: {cold:?} then {warm:?}");
            }
            sum.add_all(&cold);
            sum.add_all(&warm);
        }
        sum
    };
    std::thread::scope(|scope| {
        let threads = [scope.spawn(work), scope.spawn(work)];
        let mut sum = Answered::default();
        threads.map(|thread| thread.join().expect("no check fails")).iter().for_each(|own| sum.add_all(own));
        sum
    })
}

#[test]
fn every_arm_is_counted_once_in_every_configuration() {
    let sum = check_all(&settings(1, &LEVELS, &[Shortcuts::All, Shortcuts::Complement, Shortcuts::None]));
    // The ways that this is about were taken.
    for by in [Rung::Native, Rung::Exact, Rung::Satisfied, Rung::Implied].map(AnsweredBy::Rung) {
        assert!(sum.by(by) > 0, "{by:?} never answered: {sum:?}");
    }
    assert!(sum.by(AnsweredBy::Path) > 0 && sum.solved() > 0 && sum.open() > 0, "{sum:?}");
    check_all(&settings(2, &[Reuse::None, Reuse::Exact, Reuse::Full], &[Shortcuts::None]));
}

/// Three of its eight checks have several parts, one cannot be decided, one has a command before it that only
/// the solver knows.
const SCRIPT: &str =
    "(declare-const x Int)(declare-const y Int)(declare-const z Int)(declare-fun f (Int) Int)
(check-sat)
(push 1)(assert (> x 3))(assert (< y 2))(check-sat)(check-sat)(pop 1)
(push 1)(assert (> x 3))(assert (< x 2))(assert (= z 5))(check-sat)(pop 1)
(push 1)(assert (= (* x y) 77))(assert (> z 8))(check-sat-assuming ((> x 1)))(pop 1)
(push 1)(assert (forall ((n Int)) (= (f (+ n 1)) (+ (f n) (* n n x)))))
(assert (> (f 7) (f 3)))(check-sat)(pop 1)
(push 1)(assert (= x 1))(assert (> x 3))(check-sat)(pop 1)
(declare-tactic-of-nobody t)
(assert (> x 3))(check-sat)
(exit)";

#[test]
fn every_check_of_a_script_is_counted_once() {
    let z3 = Command::parse(&format!("{} -t:60", find("z3").display())).expect("a command");
    for reuse in LEVELS {
        for (native, require_hit) in [(true, false), (false, false), (false, true)] {
            let store = memory();
            for round in ["cold", "warm"] {
                let engine = EngineOptions {
                    reuse,
                    native,
                    require_hit,
                    cores: Cores::Always,
                    ..EngineOptions::default()
                };
                let (solver, limits) = (z3.clone(), Limits::default());
                let options =
                    SessionOptions { solver, limits, engine, store: Some(store.clone()), file: "f".into() };
                let mut session = Session::new(options);
                let (mut splitter, mut out) = (Splitter::new(), String::new());
                splitter.feed(SCRIPT.as_bytes());
                splitter.finish();
                let mut checks = 0;
                while let Some(piece) = splitter.next_piece() {
                    checks += u64::from(piece.text.starts_with(b"(check-sat"));
                    session.feed(piece.text);
                    if session.step(&mut out).is_some_and(|next| next != evergreen::Next::Continue) {
                        break;
                    }
                }
                let stats = session.stats();
                let what = format!(
                    "{reuse:?}, native {native}, require-hit {require_hit}, {round}: {stats:?}\n{out}"
                );
                assert_eq!(stats.queries(), checks, "{what}");
                assert_eq!(stats.engine.queries, stats.engine.answered.total(), "{what}");
                let said = |verdict: &str| out.lines().filter(|line| *line == verdict).count() as u64;
                let answered = &stats.engine.answered;
                let verdicts = answered.without_solver() + stats.solved();
                assert_eq!(
                    (said("sat") + said("unsat"), said("unknown")),
                    (verdicts, answered.by(AnsweredBy::Unknown)),
                    "{what}"
                );
                assert_eq!(answered.by(AnsweredBy::Missing), u64::from(require_hit), "{what}");
            }
        }
    }
}

/// Constraints are asked about alone, on a path, as slices or not, for verdicts, models and cores; and
/// counted.
#[test]
fn every_question_to_the_library_is_counted_once() -> Result<(), Error> {
    for reuse in LEVELS {
        for (native, slice) in [(true, true), (true, false), (false, true), (false, false)] {
            let z3 = find("z3").display().to_string();
            let builder = Evergreen::builder().solver(&z3).with_store(memory()).reuse(reuse);
            let mut evergreen = builder.native(native).slice(slice).build()?;
            let mut asked = 0;
            for round in 0..2 {
                let int = |evergreen: &mut Evergreen, name: &str| evergreen.constant(name, SortId::INT);
                let (x, y) = (int(&mut evergreen, "x"), int(&mut evergreen, "y"));
                let (three, nine) =
                    (evergreen.terms().int(Int::from(3)), evergreen.terms().int(Int::from(9)));
                let more = evergreen.app(Fun::Gt, &[x, three])?;
                let less = evergreen.app(Fun::Lt, &[x, three])?;
                let other = evergreen.app(Fun::Gt, &[y, nine])?;
                let product = evergreen.app(Fun::Mul, &[x, y])?;
                let product = evergreen.app(Fun::Eq, &[product, nine])?;
                evergreen.push_feasible(&[more])?;
                for question in [Question::Sat, Question::Model, Question::Core, Question::Extension] {
                    for new in [less, other, more, product] {
                        evergreen.branch(new, question)?;
                        evergreen.check(&[new, other], question)?;
                        asked += 2;
                    }
                }
                evergreen.check(&[], Question::Sat)?;
                let domain = evergreen::Domain::new(0, 9 + round);
                evergreen.count(&[more], &[(x, domain.clone())], Budget::default())?;
                let refused = evergreen.count(&[product], &[(x, domain)], Budget::default());
                assert!(refused.is_err(), "a product is not linear");
                asked += 3;
                evergreen.pop();
                let stats = evergreen.stats();
                let what = format!("{reuse:?}, native {native}, slice {slice}: {:?}", stats.answered);
                assert_eq!((stats.queries, stats.answered.total()), (asked, asked), "{what}");
                let of_counts =
                    (stats.answered.by(AnsweredBy::Counter), stats.answered.by(AnsweredBy::Unknown));
                assert_eq!(of_counts, (stats.counts.queries / 2, stats.counts.queries / 2), "{what}");
                assert!(stats.answered.solved() <= stats.solved, "a solver that was not called: {what}");
            }
        }
    }
    let mut engine = Engine::new(None, EngineOptions::default());
    assert_eq!(engine.stats().answered, Answered::default());
    engine.count(&evergreen::Terms::new(), &[], &[], Budget::default()).expect("nothing is countable");
    assert_eq!(engine.stats().answered.by(AnsweredBy::Counter), 1);
    Ok(())
}
