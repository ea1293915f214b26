//! One exploration of one version of a program, counted, with a text for every path that can be compared.

use evergreen::solver::{Limits, PipeSolver};
use evergreen::store::{Key, Memory, Store};
use evergreen::{Answered, AnsweredBy, Evergreen, Reuse, Rung, Stats};
use evergreen_java::classfile::find_jdk;
use evergreen_java::replay::TestCase;
use evergreen_java::symbolic::Ints;
use evergreen_java::{
    Bounds, Detail, How, Inputs, JavaFrontend, Maker, MethodRef, OldTests, Options, PathEnd, Program,
    answered, jvm,
};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Bytes of a store in memory: more than any subject needs.
const STORE_BYTES: usize = 1 << 30;

/// An empty store.
pub(crate) fn empty_store() -> Arc<dyn Store> {
    Arc::new(Memory::new(STORE_BYTES))
}

/// A store with the entries of another one, put in the order of their keys: what a run finds does not depend
/// on chance.
pub(crate) fn copy_of(store: &Arc<dyn Store>) -> Result<Arc<dyn Store>, String> {
    let mut entries = Vec::new();
    let mut keep = |key: &Key, value: &[u8]| {
        entries.push((*key, value.to_vec()));
        ControlFlow::Continue(())
    };
    store.visit(&mut keep).map_err(|e| e.to_string())?;
    entries.sort();
    let copy = empty_store();
    for (key, value) in &entries {
        copy.put(key, value).map_err(|e| e.to_string())?;
    }
    Ok(copy)
}

/// What decides linear integer questions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Core {
    /// The native core, as users have it.
    Native,
    /// The solver, as in the papers.
    Solver,
}

/// How a method is explored; the same for every run of a study.
#[derive(Clone)]
pub(crate) struct Setting<'a> {
    /// The solver's command line.
    pub solver: &'a str,
    /// `Class.method`.
    pub method: &'a str,
    /// Limits; none that depends on the clock.
    pub bounds: Bounds,
    /// Who decides what is not reused.
    pub core: Core,
}

/// What is known when an exploration begins, and what it may reuse.
pub(crate) struct Known<'a> {
    /// Which rungs of the ladder are used.
    pub reuse: Reuse,
    /// What was answered before.
    pub store: Arc<dyn Store>,
    /// Old tests.
    pub tests: &'a [TestCase],
}

impl Known<'_> {
    /// Nothing is known, and nothing is reused.
    pub(crate) fn no_reuse() -> Known<'static> {
        Known { reuse: Reuse::None, store: empty_store(), tests: &[] }
    }

    /// Nothing is known; what the exploration itself finds is reused.
    pub(crate) fn nothing() -> Known<'static> {
        Known { reuse: Reuse::Full, store: empty_store(), tests: &[] }
    }
}

/// What one exploration did.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counted {
    /// Paths.
    pub paths: u64,
    /// Arms that were considered at branches.
    pub queries: u64,
    /// Of these, answered without a question: by the model of the path, or because no other arm is feasible.
    pub by_model: u64,
    /// Of these, answered by old tests.
    pub by_tests: u64,
    /// Of these, asked.
    pub asked: u64,
    /// Parts of questions that canonizing decided.
    pub trivial: u64,
    /// Parts of questions that the native core decided.
    pub native: u64,
    /// Parts of questions that were answered from the store, or from what the run itself had recorded.
    pub by_store: u64,
    /// Parts of questions that a solver process was given.
    pub calls: u64,
    /// Calls of a solver beside these, to settle inputs.
    pub settling: u64,
    /// Wall time of the exploration.
    pub time: Duration,
}

impl Counted {
    /// What neither tests nor the store answered: decided afresh, by the native core or a solver.
    pub(crate) fn afresh(&self) -> u64 {
        self.native + self.calls
    }

    /// Adds another one.
    pub(crate) fn add(&mut self, other: &Counted) {
        let Counted {
            paths,
            queries,
            by_model,
            by_tests,
            asked,
            trivial,
            native,
            by_store,
            calls,
            settling,
            time,
        } = other;
        self.settling += settling;
        self.paths += paths;
        self.queries += queries;
        self.by_model += by_model;
        self.by_tests += by_tests;
        self.asked += asked;
        self.trivial += trivial;
        self.native += native;
        self.by_store += by_store;
        self.calls += calls;
        self.time += *time;
    }

    fn read(&mut self, asked: &Answered, stats: &Stats) {
        let by = |rung: Rung| asked.by(AnsweredBy::Rung(rung));
        self.trivial = by(Rung::Trivial) + by(Rung::Enumerated) + asked.by(AnsweredBy::Path);
        self.native = Rung::ALL.into_iter().filter(|rung| rung.decides()).map(by).sum();
        let reused = [Rung::Exact, Rung::Satisfied, Rung::Implied, Rung::Derived, Rung::Nearby, Rung::Core];
        self.by_store = reused.map(by).iter().sum();
        self.calls = stats.solved;
        self.settling = stats.settling.solver;
    }
}

/// A path, as far as two explorations can agree about it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct PathKey {
    /// Its conditions, with parameters by number.
    pub conditions: Vec<String>,
    /// How it ends, without values, which depend on the inputs that were chosen.
    pub ending: String,
}

/// A path and its test.
pub(crate) struct ExploredPath {
    /// What it is.
    pub key: PathKey,
    /// Its test, if it has one.
    pub case: Option<TestCase>,
    /// The old tests that go there.
    pub seeds: Vec<usize>,
}

/// An exploration.
pub(crate) struct Explored {
    /// What it did.
    pub counted: Counted,
    /// Its paths, in order.
    pub paths: Vec<ExploredPath>,
    /// The old tests that are not kept, and why.
    pub retired: Vec<(usize, String)>,
    /// Whether no bound cut anything, and everything was decided.
    pub is_whole: bool,
    /// The most branches on a path.
    pub deepest: usize,
    /// A store or a solver that failed, or a model that did not hold.
    pub wrong: Option<String>,
}

impl Explored {
    /// The tests.
    pub(crate) fn cases(&self) -> Vec<TestCase> {
        self.paths.iter().filter_map(|path| path.case.clone()).collect()
    }
}

/// The sources of a folder, compiled; the classes are there while the program lives.
pub(crate) fn compile(folder: &Path) -> Result<Program, String> {
    let listed = std::fs::read_dir(folder).map_err(|e| {
        format!("{}: {e}\nhelp: name the repository's folder with --subjects", folder.display())
    })?;
    let mut files: Vec<PathBuf> = listed.flatten().map(|file| file.path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "java"));
    files.sort();
    let jdk = find_jdk().map_err(|e| e.to_string())?;
    Program::open(&files, None, jdk).map_err(|e| e.to_string())
}

/// Opens classes, and finds the method.
pub(crate) fn open(setting: &Setting<'_>, places: &[PathBuf]) -> Result<(Program, MethodRef), String> {
    let jdk = find_jdk().map_err(|e| e.to_string())?;
    let program = Program::open(places, None, jdk).map_err(|e| e.to_string())?;
    let method = program.methods(Some(setting.method)).map_err(|e| e.to_string())?.remove(0);
    Ok((program, method))
}

/// What makes the reuse layer.
pub(crate) fn maker(setting: &Setting<'_>, reuse: Reuse, store: Arc<dyn Store>) -> Maker {
    let (solver, native) = (setting.solver.to_string(), setting.core == Core::Native);
    Box::new(move || {
        let process =
            PipeSolver::new(evergreen::solver::Command::parse_or_missing(&solver), Limits::default());
        let process = if reuse == Reuse::Full { process.keeping_stack() } else { process };
        let builder = Evergreen::builder().with_store(store.clone()).with_solver(Box::new(process));
        builder.reuse(reuse).native(native).regulate(false).build()
    })
}

/// Explores a method of classes.
pub(crate) fn explore(
    setting: &Setting<'_>,
    places: &[PathBuf],
    known: Known<'_>,
) -> Result<Explored, String> {
    // A question without an answer is an undecided arm; without a solver that would be all of them.
    evergreen::solver::Command::parse_or_missing(setting.solver).file().map_err(|e| e.to_string())?;
    let (program, method) = open(setting, places)?;
    let make = maker(setting, known.reuse, known.store);
    let mut exploration = JavaFrontend::explore(program, Ints::Wrapped, jvm::Options::default(), make)
        .map_err(|e| e.to_string())?;
    let options = Options { bounds: setting.bounds.clone(), ..Options::default() };
    let start = Instant::now();
    let old = OldTests { tests: known.tests.to_vec(), ..OldTests::default() };
    let run = exploration.seeded(&method, &Inputs::default(), options, old).map_err(|e| e.to_string())?;
    let mut run = run.without_shrinking().telling(Detail::Full);
    let names: Vec<String> = method.parameters.iter().map(|(name, _)| name.to_string()).collect();
    let mut paths = Vec::new();
    while let Some(end) = run.next_path() {
        paths.extend(explored_path(end, &names));
    }
    let time = start.elapsed();
    let (summary, tally) = (run.summary(), run.tally().paths);
    let trouble = run.oracle().trouble();
    let wrong = trouble.error.iter().chain(&trouble.wrong_models).next().cloned();
    let mut counted = Counted {
        paths: tally,
        queries: summary.queries(),
        by_model: summary.by_model + summary.by_complement,
        by_tests: summary.by_seed,
        asked: summary.asked(),
        time,
        ..Counted::default()
    };
    counted.read(&answered(&summary), &run.oracle().stats());
    let retired = run.retired().into_iter().map(|(test, why)| (test, why.to_string())).collect();
    let (is_whole, deepest) = (summary.is_complete(), summary.deepest);
    Ok(Explored { counted, paths, retired, is_whole, deepest, wrong })
}

/// What is kept of a path that the program ended.
fn explored_path(end: PathEnd, names: &[String]) -> Option<ExploredPath> {
    let ending = match &end.how {
        How::Returned(_) => "returns".to_string(),
        How::Threw { class, message, .. } => format!("throws {class} {message:?}"),
        How::Exited(status) => format!("exits {status}"),
        How::Cut(_) => return None,
        other => format!("{other:?}"),
    };
    let conditions = end.conditions.iter().map(|text| numbered(text, names)).collect();
    Some(ExploredPath { key: PathKey { conditions, ending }, case: end.case, seeds: end.seeds })
}

/// A condition with the names of parameters replaced by their numbers.
fn numbered(text: &str, names: &[String]) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        let (before, word) = rest.split_at(start);
        let end = word.find(|c| !is_word(c)).unwrap_or(word.len());
        out.push_str(before);
        match names.iter().position(|name| name == &word[..end]) {
            Some(at) => out.push_str(&format!("#{at}")),
            None => out.push_str(&word[..end]),
        }
        rest = &word[end..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_parameters_are_numbers_in_conditions() {
        let names = ["x".to_string(), "xy".to_string()];
        assert_eq!(numbered("x + xyz < 2*xy - x1", &names), "#0 + xyz < 2*#1 - x1");
    }
}
