//! What the command needs of a front end to explore programs with it.
//!
//! [`evergreen_service::Frontend`] is what exploring itself needs. [`Programs`] has the edges: which files
//! make a program, which flags a language reads, what it writes beside the reports of all languages, and the
//! words of a command that reproduces a finding. [`crate::explore::run`] is written once, for all of them.

use crate::again::{Given, Kept, Reproduced};
use crate::config::Settings;
use crate::flags::{Explore, Exploring, InputFlags};
use evergreen::solver::{ByTheory, PipeSolver, Solver};
use evergreen::store::Store;
use evergreen::{Evergreen, Reuse};
use evergreen_service::report::html::Pictures;
use evergreen_service::report::sarif::Location;
use evergreen_service::report::{More, TestNames};
use evergreen_service::{
    Exploration, Finding, Format, Frontend, Language, Maker, Program, Replayer, Sampling, Sink, Tally,
    TestId, Totals,
};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The values of a front end.
pub(crate) type LanguageOf<F> = <F as Frontend>::Language;
/// What it explores.
pub(crate) type EntryOf<F> = <LanguageOf<F> as Language>::Entry;
/// What a user sets for its inputs.
pub(crate) type InputsOf<F> = <LanguageOf<F> as Language>::Inputs;
/// Its tests.
pub(crate) type CaseOf<F> = <LanguageOf<F> as Format>::Case;
/// What sources of tests depend on.
pub(crate) type SourcesOf<F> = <LanguageOf<F> as Format>::SourceOptions;
/// The bounds on its inputs.
pub(crate) type WithinOf<F> = <LanguageOf<F> as Language>::Within;
/// Ranges of inputs by name, both ends included.
pub(crate) type Ranges = Vec<(String, (i64, i64))>;
/// Texts that were found beside a program and that its exploration depends on: unit, text, origin. Java's
/// invariants are such; a job carries them.
pub(crate) type Known = Vec<(String, String, String)>;

/// What is opened.
pub(crate) struct Targets<'t> {
    /// Files and folders.
    pub files: &'t [PathBuf],
    /// Where other classes are found.
    pub class_path: Option<&'t str>,
    /// The function that is wanted: C compiles a harness for it.
    pub method: Option<&'t str>,
    /// How a program is compiled is said with its inputs.
    pub inputs: &'t InputFlags,
}

/// How machines are made.
pub(crate) struct Making<'m> {
    /// What the flags say of the machine.
    pub flags: &'m Exploring,
    /// The solver and how answers are reused.
    pub settings: &'m Settings,
    /// Where answers are kept.
    pub store: Arc<dyn Store>,
    /// Whether the branches on paths are recorded.
    pub recording: Recording,
}

/// Whether the branches on paths are recorded, those that no input decides included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Recording {
    /// They are compared with those of replays, or suites are to have them all.
    On,
    /// Nobody asks for them.
    Off,
}

impl Recording {
    /// What replays need.
    pub(crate) fn of(flags: &Exploring) -> Recording {
        if flags.no_replay { Recording::Off } else { Recording::On }
    }
}

impl Making<'_> {
    /// Makes an [`Evergreen`] for each writing of conditions: all share one store; each has a solver process
    /// of its own, started when it is needed.
    pub(crate) fn maker(&self) -> Maker {
        let (engine, limits) = (self.settings.engine(), self.settings.limits());
        let (solver, store) = (self.settings.solver(), self.store.clone());
        let is_named = self.settings.solver.is_some();
        Box::new(move || {
            let process = PipeSolver::new(solver.clone(), limits.clone());
            let process = if engine.reuse == Reuse::Full { process.keeping_stack() } else { process };
            let builder = Evergreen::builder().engine(engine.clone()).with_store(store.clone());
            let builder = builder.audit(engine.audit, crate::audit::report);
            // A solver that is named answers everything by itself.
            let solver: Box<dyn Solver> = match is_named {
                true => Box::new(process),
                false => Box::new(ByTheory::new(process, &limits)),
            };
            builder.with_solver(solver).build()
        })
    }
}

/// Files of tests, for the folder of a run.
#[derive(Default)]
pub(crate) struct TestFiles {
    /// Where each belongs, below `tests/`, and its contents.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// What tests are called in them.
    pub names: TestNames,
    /// What to warn of, if tests were left out.
    pub left_out: Option<String>,
}

impl TestFiles {
    /// Writes them below a folder.
    pub(crate) fn write(&self, root: &Path) -> Result<(), String> {
        let trouble = |place: &Path, e: std::io::Error| format!("{}: {e}", place.display());
        for (path, content) in &self.files {
            let file = root.join(path);
            let parent = file.parent().unwrap_or(root);
            std::fs::create_dir_all(parent).map_err(|e| trouble(parent, e))?;
            std::fs::write(&file, content).map_err(|e| trouble(&file, e))?;
        }
        Ok(())
    }
}

/// The sinks that a language has beside those of all languages.
pub(crate) trait OwnSinks<F: Programs> {
    /// All of them, in the order in which they are served.
    fn all(&mut self) -> Vec<&mut dyn Sink<F>>;

    /// Whether one of them shows all of each path.
    fn shows_all(&self) -> bool {
        false
    }

    /// What is added to reports: coverage, say.
    fn more(&self, replayer: &F::Replayer) -> More;

    /// Leaves out tests whose result is not known before they run.
    fn leave_out(&mut self, _tests: &BTreeSet<TestId>) {}

    /// The files of the run's tests, if they were asked for.
    fn tests(&mut self) -> TestFiles;

    /// What was written beside reports and tests, in words.
    fn told(&self) -> Vec<String> {
        Vec::new()
    }
}

/// What was proved of all entries.
pub(crate) struct Proved {
    /// For a reader, line by line.
    pub lines: Vec<String>,
    /// The same as JSON.
    pub json: serde_json::Value,
    /// Paths that the proof needed.
    pub paths: u64,
}

/// A front end whose programs the command explores.
pub(crate) trait Programs: Frontend {
    /// A program that was opened.
    type Program: Program<LanguageOf<Self>>;
    /// What it takes to open it once more, on another thread.
    type Opened: Sync;
    /// Runs tests for real.
    type Replayer: Replayer<LanguageOf<Self>>;
    /// What it writes beside the reports of all languages.
    type Sinks: OwnSinks<Self>;

    /// Whether states are merged without being asked for, where a method has many paths.
    const MERGES: bool;

    /// What becomes of a path at a branch with an arm that cannot be decided.
    fn sampling(_flags: &Exploring) -> Sampling {
        Sampling::Never
    }

    /// Opens files, and compiles them if need be.
    fn open(targets: &Targets<'_>) -> Result<Self::Program, String>;

    /// What it takes to open a program once more. The program outlives it.
    fn opened(program: &Self::Program) -> Self::Opened;

    /// Opens a program once more.
    fn reopen(opened: &Self::Opened) -> Result<Self::Program, String>;

    /// What is explored: the entry that `--method` names, or all that a user may call.
    fn entries(program: &Self::Program, wanted: Option<&str>) -> Result<Vec<EntryOf<Self>>, String>;

    /// The flags that set inputs.
    fn inputs(flags: &Exploring) -> Result<InputsOf<Self>, String>;

    /// Fails if inputs are set that no entry has.
    fn check_names(inputs: &InputsOf<Self>, entries: &[EntryOf<Self>]) -> Result<(), String>;

    /// The ranges of inputs: a profile adds its own.
    fn ranges(inputs: &mut InputsOf<Self>) -> &mut Ranges;

    /// Makes a machine for a program; `known` is what a caller has found beside the program already. With
    /// `beside`, on the expressions of that version: inputs of one name are one input.
    fn exploration(
        making: &Making<'_>,
        program: Self::Program,
        known: Option<Known>,
        beside: Option<&Exploration<Self>>,
    ) -> Result<Exploration<Self>, String>;

    /// What runs the tests of a program.
    fn replayer(
        program: &Self::Program,
        entries: &[EntryOf<Self>],
        flags: &Exploring,
        settings: &Settings,
    ) -> Self::Replayer;

    /// What sources of tests depend on.
    fn sources(program: &Self::Program, flags: &Explore) -> SourcesOf<Self>;

    /// Opens what is written beside the reports. A file that cannot be written is an error before anything is
    /// explored.
    fn sinks(program: &Self::Program, flags: &Explore) -> Result<Self::Sinks, String>;

    /// Pictures of inputs in the page.
    fn pictures() -> Option<Pictures<LanguageOf<Self>>> {
        None
    }

    /// Where in the user's sources a finding is shown.
    fn located(
        program: &Self::Program,
        targets: &[PathBuf],
        entry: &EntryOf<Self>,
        finding: &Finding<LanguageOf<Self>>,
    ) -> Location;

    /// Which inputs a result is about.
    fn within(flags: &InputFlags, tally: &Tally<LanguageOf<Self>>) -> WithinOf<Self>;

    /// Tries to prove by induction that no entry fails; in words and as JSON, what was proved. The machine is
    /// not used for anything else.
    fn proved(
        _exploration: Exploration<Self>,
        _entries: &[EntryOf<Self>],
        _inputs: &InputsOf<Self>,
    ) -> Result<Option<Proved>, String> {
        Ok(None)
    }

    /// What is to be said at the end of a run, in words.
    fn remarks(_totals: &Totals<LanguageOf<Self>>) -> Vec<String> {
        Vec::new()
    }

    /// Whether the inputs of a finding show it again when they are given: unbounded integers do not.
    fn is_reproduced(_flags: &Exploring) -> bool {
        true
    }

    /// The command that runs an entry again on these inputs, without the arguments that are kept back.
    fn again(
        given: &Given,
        entry: &EntryOf<Self>,
        inputs: Reproduced<'_, LanguageOf<Self>>,
        kept: &[(&str, Kept)],
    ) -> String;
}
