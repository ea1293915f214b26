//! `evergreen-lab study incremental`: what a version of a program costs when the one before it was explored.
//!
//! Each version is explored five times: without any reuse; from nothing; with the store that exploring the
//! base has filled; with the base's tests alone; with both. All must find the same paths. Everything is done
//! twice: by the native core, as users have it, and by the solver alone, as in the papers, where every
//! question that reuse does not answer is a solver call.
//!
//! The base itself is among the versions: an unchanged program, for which tests and store together must leave
//! nothing to do for a solver, if no bound cut it.

mod report;
mod subjects;

use super::explored::{
    Core, Counted, Explored, Known, PathKey, Setting, compile, copy_of, empty_store, explore,
};
use crate::flags::IncrementalStudy;
use evergreen::Reuse;
use evergreen::store::Store;
use evergreen_java::Bounds;
use evergreen_java::replay::{Ending, TestCase};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use subjects::{BASE, SUBJECTS, Subject};

/// The share of paths below which a change is small.
pub(super) const SMALL: f64 = 0.1;
/// The share of calls that a small change is to save.
pub(super) const AIM: f64 = 0.95;

/// What is known when a version is explored, in the order of the columns.
pub(super) const RUNS: [&str; 5] = ["no reuse", "cold", "store", "suite", "suite + store"];
/// Where [`RUNS`] has the one that reuses nothing, not even its own answers.
pub(super) const NONE: usize = 0;
/// The one that begins with nothing.
pub(super) const COLD: usize = 1;
/// The one that has suite and store.
pub(super) const BOTH: usize = 4;

/// Who decides, in the order of [`Outcome::by_core`].
pub(super) const CORES: [Core; 2] = [Core::Native, Core::Solver];

/// One version of one subject.
pub(super) struct Outcome {
    /// The subject's folder.
    pub subject: &'static str,
    /// The version's folder.
    pub version: &'static str,
    /// Paths of the base that the version has no more, and paths that it has and the base has not; of how
    /// many.
    pub touched: Touched,
    /// By who decides: what each of [`RUNS`] did.
    pub by_core: [[Counted; 5]; 2],
    /// What is not as it must be.
    pub faults: Vec<String>,
}

impl Outcome {
    /// Whether nothing has changed.
    pub(super) fn is_unchanged(&self) -> bool {
        self.version == BASE
    }

    /// Whether the change touches few paths.
    pub(super) fn is_small(&self) -> bool {
        !self.is_unchanged() && self.touched.share() < SMALL
    }
}

/// How many paths a change touches.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(super) struct Touched {
    /// Paths of the base, and those of them that are gone: no path has their conditions, or the same input
    /// ends otherwise.
    pub old: (usize, usize),
    /// Paths of the version, and those of them that are new.
    pub new: (usize, usize),
}

impl Touched {
    /// The greater one of both shares.
    pub(super) fn share(&self) -> f64 {
        let share = |(all, touched): (usize, usize)| touched as f64 / all.max(1) as f64;
        share(self.old).max(share(self.new))
    }
}

/// Runs, prints, and fails when an update differs from a fresh exploration, or an unchanged program makes a
/// solver call.
pub(super) fn run(flags: &IncrementalStudy) -> Result<ExitCode, String> {
    let mut outcomes = Vec::new();
    for subject in wanted(flags)? {
        outcomes.extend(study(flags, subject)?);
    }
    let faulty = outcomes.iter().any(|outcome| !outcome.faults.is_empty());
    report::print(flags, &outcomes)?;
    Ok(ExitCode::from(u8::from(faulty)))
}

fn wanted(flags: &IncrementalStudy) -> Result<Vec<&'static Subject>, String> {
    let fits = |s: &&Subject| {
        flags.only.is_empty() || flags.only.iter().any(|o| s.folder.starts_with(&o.to_lowercase()))
    };
    let found: Vec<&'static Subject> = SUBJECTS.iter().filter(fits).collect();
    if found.is_empty() {
        let names: Vec<&str> = SUBJECTS.iter().map(|s| s.folder).collect();
        return Err(format!("no subject is called so\nhelp: there are {}", names.join(", ")));
    }
    Ok(found)
}

/// What the base left behind.
struct Before {
    explored: Explored,
    cases: Vec<TestCase>,
    store: Arc<dyn Store>,
}

fn study(flags: &IncrementalStudy, subject: &'static Subject) -> Result<Vec<Outcome>, String> {
    let folder = flags.subjects.join(subject.folder);
    let base = compile(&folder.join(BASE))?;
    let bounds = Bounds { loops: subject.loops, ..Bounds::default() };
    let setting =
        |core| Setting { solver: &flags.solver, method: subject.method, bounds: bounds.clone(), core };
    let before = |core| -> Result<Before, String> {
        let store = empty_store();
        let known = Known { reuse: Reuse::Full, store: store.clone(), tests: &[] };
        let explored = explore(&setting(core), &base.places, known)?;
        let cases = explored.cases();
        Ok(Before { explored, cases, store })
    };
    let before: [Before; 2] = [before(CORES[0])?, before(CORES[1])?];
    let mut outcomes = Vec::new();
    for version in subject.versions() {
        let program = compile(&folder.join(version))?;
        let mut outcome = Outcome {
            subject: subject.folder,
            version,
            touched: Touched::default(),
            by_core: Default::default(),
            faults: Vec::new(),
        };
        for (at, before) in before.iter().enumerate() {
            let runs = five(&setting(CORES[at]), &program.places, before)?;
            judge(&mut outcome, CORES[at], before, &runs);
            outcome.by_core[at] = runs.map(|run| run.counted);
        }
        let solver = &outcome.by_core[1];
        crate::say::note(&format!(
            "{} {version}: {:.1}% touched, {} calls cold, {} with suite and store",
            subject.folder,
            100.0 * outcome.touched.share(),
            solver[COLD].calls,
            solver[BOTH].calls
        ));
        outcomes.push(outcome);
    }
    Ok(outcomes)
}

/// The explorations of a version.
fn five(setting: &Setting<'_>, places: &[PathBuf], before: &Before) -> Result<[Explored; 5], String> {
    let cases: &[TestCase] = &before.cases;
    let know = |store, tests| Known { reuse: Reuse::Full, store, tests };
    Ok([
        explore(setting, places, Known::no_reuse())?,
        explore(setting, places, Known::nothing())?,
        explore(setting, places, know(copy_of(&before.store)?, &[]))?,
        explore(setting, places, know(empty_store(), cases))?,
        explore(setting, places, know(copy_of(&before.store)?, cases))?,
    ])
}

/// Compares paths, and counts those that the change touches.
fn judge(outcome: &mut Outcome, core: Core, before: &Before, runs: &[Explored; 5]) {
    let keys = |run: &Explored| -> Vec<PathKey> { run.paths.iter().map(|path| path.key.clone()).collect() };
    let cold = keys(&runs[COLD]);
    for (run, name) in runs.iter().zip(RUNS) {
        outcome.faults.extend(run.wrong.iter().map(|wrong| format!("{core:?}, {name}: {wrong}")));
        if keys(run) != cold {
            let (found, fresh) = (run.paths.len(), cold.len());
            outcome
                .faults
                .push(format!("{core:?}, {name}: {found} paths, not the {fresh} of a fresh exploration"));
        }
    }
    let both = &runs[BOTH];
    // What a bound cut has no test, so an arm that leads to nothing else is asked about; whether the store
    // knows is chance.
    if outcome.is_unchanged() && both.is_whole && both.counted.calls > 0 {
        outcome
            .faults
            .push(format!("{core:?}: {} solver calls although nothing changed", both.counted.calls));
    }
    let touched = touched(&before.explored, &before.cases, both);
    if core == Core::Native {
        outcome.touched = touched;
    }
}

/// Which paths a change touches: a path is as it was if its conditions are, and the old test ends as it did.
fn touched(old: &Explored, cases: &[TestCase], new: &Explored) -> Touched {
    let mut conditions: BTreeMap<&PathKey, usize> = BTreeMap::new();
    for path in &old.paths {
        *conditions.entry(&path.key).or_default() += 1;
    }
    let mut same = 0;
    for path in &new.paths {
        let Some(left) = conditions.get_mut(&path.key).filter(|left| **left > 0) else { continue };
        let ends = |case: &TestCase| path.case.as_ref().is_some_and(|new| ends_alike(case, &new.ending));
        if path.seeds.is_empty() || path.seeds.iter().filter_map(|&seed| cases.get(seed)).any(ends) {
            *left -= 1;
            same += 1;
        }
    }
    Touched { old: (old.paths.len(), old.paths.len() - same), new: (new.paths.len(), new.paths.len() - same) }
}

/// Whether a test ends as it did before; messages count, values too.
fn ends_alike(case: &TestCase, ending: &Ending) -> bool {
    case.ending.admits(ending)
}
