//! The programs of Green's evaluation, and what runs them [Visser FSE'12, 4].
//!
//! A container gets n operations: every sequence of insertions and deletions is a run of its own with
//! symbolic keys, and all of them share a store (4.1.2). The altitude layer of TCAS is a number, since then
//! an exploration has the paper's 678 arms; with a symbolic layer it has 2502.

use super::super::technique::{Ran, Technique};
use super::super::work::Work;
use evergreen::solver::{Command, Limits, PipeSolver};
use evergreen::store::Store;
use evergreen::{CanonMode, Event, Evergreen, Reuse, Rung};
use evergreen_java::classfile::find_jdk;
use evergreen_java::symbolic::Ints;
use evergreen_java::{
    Bounds, Detail, Inputs, JavaFrontend, Maker, OldTests, Options, Program, Shortcuts, jvm,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// A program of the paper.
#[derive(Clone, Copy)]
pub(super) struct Subject {
    /// Its name in tables.
    pub name: &'static str,
    /// Sources below the folder of subjects.
    files: &'static [&'static str],
    /// `Class.method`.
    pub method: &'static str,
    /// Operations, of a container.
    pub operations: Option<u32>,
    /// The most rounds of a loop.
    loops: Option<u32>,
    /// Parameters that are numbers.
    concrete: &'static [(&'static str, &'static str)],
}

const fn program(name: &'static str, files: &'static [&'static str], method: &'static str) -> Subject {
    Subject { name, files, method, operations: None, loops: None, concrete: &[] }
}

impl Subject {
    /// The same container with so many operations.
    pub(super) const fn with(self, operations: u32) -> Subject {
        Subject { operations: Some(operations), ..self }
    }
}

/// The container with binomial trees.
pub(super) const BINOMIAL_HEAP: Subject = program(
    "BinomialHeap",
    &["papers/binomialheap/BinomialHeap.java", "papers/binomialheap/BinomialHeapDriver.java"],
    "BinomialHeapDriver.updates",
);
/// The search tree, in the papers' order of comparisons.
pub(super) const BIN_TREE: Subject = program(
    "BinTree",
    &["papers/bintree/BinTree.java", "papers/bintree/BinTreeDriver.java"],
    "BinTreeDriver.updates",
);
/// The search tree before its repair.
pub(super) const BIN_TREE_BUG: Subject = program(
    "BinTreeBug",
    &["papers/bintreebug/BinTree.java", "papers/bintreebug/BinTreeDriver.java"],
    "BinTreeDriver.updates",
);
/// The red-black tree.
pub(super) const TREE_MAP: Subject = program(
    "TreeMap",
    &["papers/treemap/TreeMap.java", "papers/treemap/TreeMapDriver.java"],
    "TreeMapDriver.updates",
);
/// The greatest common divisor; its loop is bounded.
pub(super) const EUCLID: Subject =
    Subject { loops: Some(7), ..program("Euclid", &["euclid/v0/Euclid.java"], "Euclid.gcd") };
/// Triangles.
pub(super) const TRITYP: Subject = program("TriTyp", &["trityp/v0/TriTyp.java"], "TriTyp.classify");
/// Collision avoidance; the layer is a number.
pub(super) const TCAS: Subject =
    Subject { concrete: &[("layer", "0")], ..program("TCAS", &["tcas/v0/Tcas.java"], "Tcas.advise") };

/// What all exhibits say about the programs.
pub(super) const WORDS: &str = "Ours, written after the papers' descriptions: the trees ask for equality \
    before order, as the papers' classes do, and a deletion from the heap looks at all nodes \
    (`subjects/papers`); TCAS has the altitude layer as a number, which gives the paper's 678 arms; Euclid's \
    loop has at most 7 rounds";

/// Compiles the sources of a program.
///
/// # Errors
/// The compiler's, or a file is missing.
pub(super) fn open(subjects: &Path, subject: &Subject) -> Result<Program, String> {
    let files: Vec<PathBuf> = subject.files.iter().map(|file| subjects.join(file)).collect();
    if let Some(missing) = files.iter().find(|file| !file.exists()) {
        return Err(format!(
            "{}: no such file\nhelp: name the repository's folder with --subjects",
            missing.display()
        ));
    }
    Program::open(&files, None, find_jdk().map_err(|e| e.to_string())?).map_err(|e| e.to_string())
}

/// One exploration, as far as it is not the technique's.
#[derive(Default)]
pub(super) struct Plan {
    /// Parameters with given values.
    pub concrete: Vec<(String, String)>,
    /// What is explored, and how.
    pub options: Options,
    /// Inputs that run first.
    pub old: OldTests,
}

/// What an exploration did.
#[derive(Default)]
pub(super) struct Explored {
    /// Counts and wall time.
    pub ran: Ran,
    /// Waiting for the solver.
    pub solving: f64,
    /// What became of each question, if the reuse layer keeps a log.
    pub events: Vec<Event>,
    /// Arms at branches that were asked about.
    pub asked: u64,
    /// The most branches on a path.
    pub deepest: usize,
    /// Whether no bound cut a path.
    pub is_whole: bool,
}

/// Explores a method of compiled classes as the paper does, once for each plan: both arms of each branch are
/// asked, and integers are unbounded. All runs have one solver process.
///
/// # Errors
/// The program cannot be opened, or a solver or a store failed.
pub(super) fn explore(
    places: &[PathBuf],
    method: &str,
    plans: Vec<Plan>,
    make: Maker,
) -> Result<Explored, String> {
    let jdk = find_jdk().map_err(|e| e.to_string())?;
    let program = Program::open(places, None, jdk).map_err(|e| e.to_string())?;
    let entry = program.methods(Some(method)).map_err(|e| e.to_string())?.remove(0);
    let mut exploration = JavaFrontend::explore(program, Ints::Math, jvm::Options::default(), make)
        .map_err(|e| e.to_string())?;
    let mut sum = Explored { is_whole: true, ..Explored::default() };
    for plan in plans {
        let options = Options { shortcuts: Shortcuts::None, ..plan.options };
        let inputs = Inputs { concrete: plan.concrete, ..Inputs::default() };
        let start = Instant::now();
        let run = if plan.old.tests.is_empty() {
            exploration.entry(&entry, &inputs, options)
        } else {
            exploration.seeded(&entry, &inputs, options, plan.old)
        };
        let mut run = run.map_err(|e| e.to_string())?.without_shrinking().telling(Detail::Brief);
        while run.next_path().is_some() {}
        let (summary, paths) = (run.summary(), run.tally().paths);
        let trouble = run.oracle().trouble();
        let odd = trouble.error.iter().chain(&trouble.unknown).chain(&trouble.wrong_models).next();
        if let Some(odd) = odd {
            return Err(format!("{method}: {odd}"));
        }
        let seconds = start.elapsed().as_secs_f64();
        sum.ran.add(&Ran { paths, queries: summary.queries(), calls: 0, seconds });
        sum.asked += summary.asked();
        sum.deepest = sum.deepest.max(summary.deepest);
        sum.is_whole &= summary.is_complete();
    }
    let stats = exploration.oracle().stats();
    sum.ran.calls = stats.solved;
    sum.solving = stats.stages[evergreen::Stage::Solve as usize].as_secs_f64();
    sum.events = exploration.parts().1.take_events();
    Ok(sum)
}

/// What makes the reuse layer of a technique over a store, with a log.
pub(super) fn logging(technique: Technique, solver: &str, store: &Arc<dyn Store>) -> Maker {
    let mut make = technique.maker(solver, store.clone());
    Box::new(move || {
        let mut made = make()?;
        made.log_events();
        Ok(made)
    })
}

/// Which of Green's parts are on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Parts {
    /// Slicing.
    pub slice: bool,
    /// The canonical form.
    pub canon: bool,
    /// The store.
    pub store: bool,
}

/// What makes the reuse layer with some of Green's parts.
pub(super) fn partly(parts: Parts, solver: &str, store: &Arc<dyn Store>) -> Maker {
    let (solver, store) = (solver.to_string(), store.clone());
    Box::new(move || {
        let process = PipeSolver::new(Command::parse_or_missing(&solver), Limits::default());
        let builder = Evergreen::builder().with_store(store.clone()).with_solver(Box::new(process));
        let builder = builder.slice(parts.slice).propagate(false).native(false).regulate(false);
        let canon = if parts.canon { CanonMode::Strict } else { CanonMode::Off };
        let reuse = if parts.store { Reuse::Exact } else { Reuse::None };
        builder.canon(canon).reuse(reuse).log_events().build()
    })
}

/// The given values of each run of a program: of a container, one run for each sequence of operations.
pub(super) fn sequences(subject: &Subject) -> Vec<Vec<(String, String)>> {
    let given = |(name, value): &(&str, &str)| (name.to_string(), value.to_string());
    let fixed: Vec<(String, String)> = subject.concrete.iter().map(given).collect();
    let Some(n) = subject.operations else { return vec![fixed] };
    let sequence =
        |which: u32| vec![("n".to_string(), n.to_string()), ("which".to_string(), which.to_string())];
    (0..1 << n).map(sequence).collect()
}

/// Explores a program: all of its sequences of operations, one after the other.
///
/// # Errors
/// As [`explore`].
pub(super) fn explore_all(
    places: &[PathBuf],
    subject: &Subject,
    bounds: &Bounds,
    make: Maker,
) -> Result<Explored, String> {
    let bounds = Bounds { loops: subject.loops, ..bounds.clone() };
    let plan = |concrete| {
        let options = Options { bounds: bounds.clone(), ..Options::default() };
        Plan { concrete, options, ..Plan::default() }
    };
    explore(places, subject.method, sequences(subject).into_iter().map(plan).collect(), make)
}

/// Explores a program with a technique over a store.
///
/// # Errors
/// As [`explore`].
pub(super) fn run(
    places: &[PathBuf],
    subject: &Subject,
    technique: Technique,
    solver: &str,
    store: &Arc<dyn Store>,
) -> Result<Explored, String> {
    Command::parse_or_missing(solver).file().map_err(|e| e.to_string())?;
    explore_all(places, subject, &Bounds::default(), logging(technique, solver, store))
}

/// The questions of a program by their keys in Green's store. Whether a question is reused depends on nothing
/// else, so what programs take from each other follows from these.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Asked {
    /// Arms at branches.
    pub queries: u64,
    /// Questions that the solver answered.
    pub calls: u64,
    /// How often each key was asked for.
    pub keys: BTreeMap<String, u64>,
}

impl Asked {
    /// Questions that have a key.
    pub(super) fn keyed(&self) -> u64 {
        self.keys.values().sum()
    }

    /// The share of its questions that are answered from a store with these keys, as it was before.
    pub(super) fn taken_from(&self, known: impl Fn(&str) -> bool) -> f64 {
        let found: u64 = self.keys.iter().filter(|(key, _)| known(key)).map(|(_, times)| times).sum();
        found as f64 / self.keyed().max(1) as f64
    }

    fn note(&mut self, events: &[Event]) {
        for event in events {
            if let Event::Missed { key } | Event::Reused { rung: Rung::Exact, key, .. } = event {
                let name = key[..8].iter().map(|byte| format!("{byte:02x}")).collect();
                *self.keys.entry(name).or_default() += 1;
            }
        }
    }
}

/// The questions of a program, explored with an empty store.
///
/// # Errors
/// As [`explore`], or the log and the counters contradict each other.
pub(super) fn asked(subjects: &Path, subject: &Subject, solver: &str) -> Result<Asked, String> {
    let compiled = open(subjects, subject)?;
    let store = super::super::technique::empty_store();
    let explored = run(&compiled.places, subject, Technique::Green, solver, &store)?;
    let mut asked = Asked { queries: explored.ran.queries, calls: explored.ran.calls, ..Asked::default() };
    asked.note(&explored.events);
    if asked.keys.len() as u64 != asked.calls || asked.keyed() > asked.queries {
        return Err(format!(
            "{}: {} keys of {} questions, but {} arms and {} calls",
            subject.name,
            asked.keys.len(),
            asked.keyed(),
            asked.queries,
            asked.calls
        ));
    }
    Ok(asked)
}

/// The same as a step of an exhibit.
///
/// # Errors
/// As [`asked`].
pub(super) fn asked_step(work: &mut Work, subject: &Subject) -> Result<Asked, String> {
    let (subjects, solver) = (work.subjects.clone(), work.solver.clone());
    let size = subject.operations.map(|n| format!(", {n} operations")).unwrap_or_default();
    work.step(&format!("{}{size}", subject.name), || asked(&subjects, subject, &solver))
}

/// Questions that were answered by what the run itself had recorded.
pub(super) fn own(events: &[Event]) -> u64 {
    let mut recorded = BTreeSet::new();
    let mut own = 0;
    for event in events {
        match event {
            Event::Missed { key } => drop(recorded.insert(key)),
            Event::Reused { rung: Rung::Exact, key, .. } => own += u64::from(recorded.contains(key)),
            _ => {}
        }
    }
    own
}

/// The share of arms that need no call.
pub(super) fn reuse(ran: &Ran) -> f64 {
    1.0 - ran.calls as f64 / ran.queries.max(1) as f64
}

/// A ratio in a table.
pub(super) fn ratio(value: f64) -> String {
    format!("{value:.3}")
}
