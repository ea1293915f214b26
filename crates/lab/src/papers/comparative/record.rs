//! Query streams of C programs, recorded by our own front end.
//!
//! A program is explored depth first without shortcuts, slices, canonical forms or reuse, so that every arm
//! of every branch is a question about the whole path, and the solver behind the library writes each one to a
//! log in the format of docs/stream-format.md. This is KLEE's `--use-query-log=all:smt2` for our machine.
//! As KLEE's, questions are about bit vectors: what the machine asks about integers is not answered, and it
//! asks again in bits.

use evergreen::solver::{Command, Kind, Limits, Outcome, PipeSolver, Problem, Solver, SolverError, Verdict};
use evergreen::store::Memory;
use evergreen::{CanonMode, Evergreen, Reuse};
use evergreen_c::{Argument, CFrontend, CProgram, Compiling, Given, Inputs, is_source};
use evergreen_java::{Bounds, BranchOracle, Detail, Maker, Options, Shortcuts};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Bytes of the store, which nothing reads.
const STORE_BYTES: usize = 1 << 20;

/// A question that takes longer is hard, whatever the solver counts.
const HARD_MS: u64 = 10_000;
/// The work that z3 may spend on a question, in its own unit: some tenths of a second. The same questions
/// pass it on every machine.
const HARD_UNITS: &str = "rlimit=250000";

/// The solver, which gives up hard questions.
pub(super) fn bounded(mut command: Command) -> Command {
    if command.kind == Kind::Z3 {
        command.args.push(HARD_UNITS.into());
    }
    command
}

/// A program with its inputs, as a plan names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Utility {
    pub name: String,
    files: Vec<PathBuf>,
    args: Vec<String>,
    inputs: Inputs,
}

impl Utility {
    /// From the words of a plan: sources or a module, then flags of `evergreen explore`.
    ///
    /// # Errors
    /// A word that is not known here.
    pub(super) fn of_words(name: &str, folder: &Path, words: &[String]) -> Result<Utility, String> {
        let mut utility =
            Utility { name: name.into(), files: Vec::new(), args: Vec::new(), inputs: Inputs::default() };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut next = || words.next().ok_or_else(|| format!("{name}: nothing behind {word}"));
            let number = |text: &String| text.parse::<u32>().map_err(|_| format!("{name}: \"{text}\""));
            match word.as_str() {
                "--cc-arg" => utility.args.push(next()?.clone()),
                "--sym-stdin" => utility.inputs.stdin = Some(Given::Symbolic(number(next()?)?)),
                "--sym-arg" => {
                    let length = number(next()?)?;
                    utility.inputs.args.push(Argument::One(Given::Symbolic(length)));
                }
                "--sym-args" => {
                    let [min, max, length] = [number(next()?)?, number(next()?)?, number(next()?)?];
                    utility.inputs.args.push(Argument::Several { min, max, length });
                }
                "--arg" => {
                    let text = next()?.clone().into_bytes();
                    utility.inputs.args.push(Argument::One(Given::Fixed(text)));
                }
                file if is_source(Path::new(file)) || file.ends_with(".wasm") => {
                    utility.files.push(folder.join(file));
                }
                other => return Err(format!("{name}: \"{other}\" is not known here")),
            }
        }
        Ok(utility)
    }

    /// The log of its first questions.
    ///
    /// # Errors
    /// It cannot be compiled or explored.
    pub(super) fn record(&self, solver: &str, most: usize, time: Duration) -> Result<Log, String> {
        let args = self.args.iter().map(Into::into).collect();
        let compiling = Compiling { args, ..Compiling::default() };
        let program = CProgram::open(&self.files, &compiling).map_err(|e| e.to_string())?;
        let entry = program.entry();
        let (log, enough) = (Arc::new(Mutex::new(Log::default())), Arc::new(AtomicBool::new(false)));
        let maker = || maker(solver, most, &log, &enough);
        let mut exploration = CFrontend::explore(program, evergreen_c::Options::default(), maker());
        let exprs = exploration.exprs().clone();
        // Sets of values would decide most questions about single bytes.
        *exploration.parts().1 = BranchOracle::new(exprs, maker()).without_sets();
        let options = Options {
            shortcuts: Shortcuts::None,
            bounds: Bounds { time: Some(time), interrupt: Some(enough.clone()), ..Bounds::default() },
            ..Options::default()
        };
        let run = exploration.entry(&entry, &self.inputs, options).map_err(|e| e.to_string())?;
        let mut run = run.without_shrinking().telling(Detail::Brief);
        while run.next_path().is_some() {}
        drop(run);
        let log = log.lock().map_err(|_| "the recorder panicked")?.clone();
        Ok(log)
    }
}

/// Makes the library with a recorder behind it.
fn maker(solver: &str, most: usize, log: &Arc<Mutex<Log>>, enough: &Arc<AtomicBool>) -> Maker {
    let (solver, log, enough) = (solver.to_string(), log.clone(), enough.clone());
    Box::new(move || {
        let limits = Limits { time_ms: Some(HARD_MS), ..Limits::default() };
        let process = PipeSolver::new(bounded(Command::parse_or_missing(&solver)), limits);
        let (log, enough) = (log.clone(), enough.clone());
        let recorder = Recorder { solver: process.keeping_stack(), log, enough, most };
        let builder = Evergreen::builder().with_store(Arc::new(Memory::new(STORE_BYTES)));
        let builder = builder.with_solver(Box::new(recorder)).canon(CanonMode::Off).slice(false);
        builder.reuse(Reuse::None).native(false).propagate(false).regulate(false).build()
    })
}

/// What was asked.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    pub text: String,
    pub queries: usize,
}

struct Recorder {
    solver: PipeSolver,
    log: Arc<Mutex<Log>>,
    /// Ends the exploration.
    enough: Arc<AtomicBool>,
    most: usize,
}

impl Recorder {
    fn keep(&self, problem: &Problem) {
        let Ok(mut log) = self.log.lock() else { return };
        if log.queries >= self.most {
            self.enough.store(true, Ordering::Relaxed);
            return;
        }
        let number = log.queries;
        log.queries += 1;
        let logic = problem.logic.as_deref().map_or(String::new(), |l| format!("(set-logic {l})\n"));
        let _ = write!(log.text, "; Query {number}\n{logic}{}", problem.declarations);
        if !problem.declarations.ends_with('\n') {
            log.text.push('\n');
        }
        for constraint in &problem.constraints {
            let _ = writeln!(log.text, "(assert {constraint})");
        }
        log.text.push_str("(check-sat)\n");
    }
}

impl Solver for Recorder {
    fn describe(&self) -> String {
        self.solver.describe()
    }

    fn check(&mut self, problem: &Problem) -> Result<Outcome, SolverError> {
        if problem.declarations.contains(" Int)") {
            let verdict = Verdict::Unknown("asked in bits".into());
            return Ok(Outcome { verdict, values: None, core: None, elapsed: Duration::ZERO });
        }
        let outcome = self.solver.check(problem)?;
        // Hard questions are left out: a technique would spend its time on one of them.
        if !matches!(outcome.verdict, Verdict::Unknown(_)) {
            self.keep(problem);
        }
        Ok(outcome)
    }

    fn command(&self) -> Option<&Command> {
        self.solver.command()
    }

    fn starts(&self) -> u64 {
        self.solver.starts()
    }
}
