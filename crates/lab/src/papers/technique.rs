//! The papers' techniques, and one exploration of a Java method with one of them.
//!
//! As in the papers both arms of every branch are asked, integers are unbounded and nothing is solved
//! natively, unless the technique is [`Technique::Evergreen`], which is what a user gets. What a run reuses
//! lies in the store that it is given, so programs and versions share a store by sharing the value.

use crate::study::explored;
use evergreen::solver::{Command, Limits, PipeSolver};
use evergreen::store::{Memory, Store};
use evergreen::{Evergreen, Reuse, Technique as Strict};
use evergreen_java::symbolic::Ints;
use evergreen_java::{Bounds, Detail, Inputs, JavaFrontend, Maker, Options, Program, Shortcuts, jvm};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Bytes of a store in memory: more than any subject needs.
const STORE_BYTES: usize = 1 << 30;

/// A technique of the papers, or ours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Technique {
    /// Every question is solved.
    None,
    /// Green's canonical form and its store, nothing else [Visser FSE'12].
    Green,
    /// KLEE's caches: subsets and supersets of constraints [Cadar OSDI'08].
    Klee,
    /// GreenTrie's rules and tries [Jia ISSTA'15].
    GreenTrie,
    /// The whole ladder, with a solver for what it does not answer.
    Ladder,
    /// What a user gets: Java's integers, every shortcut, the native core.
    Evergreen,
}

impl Technique {
    /// Its name in tables.
    pub(super) fn name(self) -> &'static str {
        match self {
            Technique::None => "none",
            Technique::Green => "green",
            Technique::Klee => "klee",
            Technique::GreenTrie => "greentrie",
            Technique::Ladder => "ladder",
            Technique::Evergreen => "evergreen",
        }
    }

    /// The library's reproduction of a paper's technique, if it is one.
    fn strict(self) -> Option<Strict> {
        match self {
            Technique::Green => Some(Strict::Green),
            Technique::Klee => Some(Strict::Klee),
            Technique::GreenTrie => Some(Strict::GreenTrie),
            Technique::None | Technique::Ladder | Technique::Evergreen => None,
        }
    }

    /// What makes the reuse layer over a store.
    pub(super) fn maker(self, solver: &str, store: Arc<dyn Store>) -> Maker {
        let solver = solver.to_string();
        let reuse = if self == Technique::None { Reuse::None } else { Reuse::Full };
        Box::new(move || {
            let process = PipeSolver::new(Command::parse_or_missing(&solver), Limits::default());
            let process = if matches!(self, Technique::Ladder | Technique::Evergreen) {
                process.keeping_stack()
            } else {
                process
            };
            let builder = Evergreen::builder().with_store(store.clone()).with_solver(Box::new(process));
            match self.strict() {
                Some(strict) => builder.strict(strict).build(),
                None => builder.reuse(reuse).native(self == Technique::Evergreen).regulate(false).build(),
            }
        })
    }
}

/// An empty store in memory.
pub(super) fn empty_store() -> Arc<dyn Store> {
    Arc::new(Memory::new(STORE_BYTES))
}

/// A method of a program, with what bounds it.
pub(super) struct Subject<'a> {
    /// Its classes, compiled ([`explored::compile`]).
    pub program: &'a Program,
    /// `Class.method`.
    pub method: &'a str,
    /// The most rounds of a loop.
    pub loops: Option<u32>,
    /// Parameters with given values.
    pub concrete: &'a [(String, String)],
}

/// What an exploration did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Ran {
    /// Paths.
    pub paths: u64,
    /// Arms that were considered at branches.
    pub queries: u64,
    /// Questions that a solver answered.
    pub calls: u64,
    /// Wall time.
    pub seconds: f64,
}

impl Ran {
    /// Adds another one.
    pub(super) fn add(&mut self, other: &Ran) {
        self.paths += other.paths;
        self.queries += other.queries;
        self.calls += other.calls;
        self.seconds += other.seconds;
    }
}

/// The sources in a folder of the subjects, compiled.
///
/// # Errors
/// The compiler's, or there is no such folder.
pub(super) fn compile(folder: &Path) -> Result<Program, String> {
    explored::compile(folder)
}

/// Explores a method with a technique, over a store.
///
/// # Errors
/// The program cannot be opened, or a solver or a store failed.
pub(super) fn explore(
    subject: &Subject<'_>,
    technique: Technique,
    solver: &str,
    store: &Arc<dyn Store>,
) -> Result<Ran, String> {
    // A question without an answer is an undecided arm; without a solver that would be all of them.
    Command::parse_or_missing(solver).file().map_err(|e| e.to_string())?;
    let jdk = evergreen_java::classfile::find_jdk().map_err(|e| e.to_string())?;
    let program = Program::open(&subject.program.places, None, jdk).map_err(|e| e.to_string())?;
    let method = program.methods(Some(subject.method)).map_err(|e| e.to_string())?.remove(0);
    let is_ours = technique == Technique::Evergreen;
    let ints = if is_ours { Ints::Wrapped } else { Ints::Math };
    let make = technique.maker(solver, store.clone());
    let mut exploration =
        JavaFrontend::explore(program, ints, jvm::Options::default(), make).map_err(|e| e.to_string())?;
    let options = Options {
        shortcuts: if is_ours { Shortcuts::All } else { Shortcuts::None },
        bounds: Bounds { loops: subject.loops, ..Bounds::default() },
        ..Options::default()
    };
    let inputs = Inputs { concrete: subject.concrete.to_vec(), ..Inputs::default() };
    let start = Instant::now();
    let run = exploration.entry(&method, &inputs, options).map_err(|e| e.to_string())?;
    let mut run = run.without_shrinking().telling(Detail::Brief);
    while run.next_path().is_some() {}
    let seconds = start.elapsed().as_secs_f64();
    let (summary, paths) = (run.summary(), run.tally().paths);
    let trouble = run.oracle().trouble();
    let odd = trouble.error.iter().chain(&trouble.unknown).chain(&trouble.wrong_models).next();
    if let Some(odd) = odd {
        return Err(format!("{}, {}: {odd}", subject.method, technique.name()));
    }
    Ok(Ran { paths, queries: summary.queries(), calls: run.oracle().stats().solved, seconds })
}
