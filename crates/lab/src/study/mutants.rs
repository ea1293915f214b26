//! `evergreen-lab study mutants`: all first-order mutants of the subjects, as in [Visser FSE'12, 4.1.1].
//!
//! Each mutant is explored without reuse, with the store that exploring the original has filled, and with
//! that store and the original's tests; the first and the last must find the same paths. Then the original's
//! tests run on the mutant, on the real JVM: one that ends otherwise kills it. A mutant that survives is
//! compared with the original, path by path: that finds an input on which they differ, or proves that there
//! is none.

mod plot;
mod report;
mod score;

use super::explored::{
    Core, Counted, Explored, Known, PathKey, Setting, compile, copy_of, empty_store, explore,
};
use crate::flags::{MutantsStudy, operators};
use crate::mutate::{self, Made};
use evergreen::Reuse;
use evergreen::store::Store;
use evergreen_java::Bounds;
use evergreen_java::classfile::find_jdk;
use evergreen_java::replay::TestCase;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

pub(super) use score::Fate;

/// What is explored: folder, `Class.method`, loop bound. Classes whose names end in `Driver` have no mutants.
const SUBJECTS: [(&str, &str, Option<u32>); 13] = [
    ("figure2", "Figure2.m", None),
    ("trityp", "TriTyp.classify", None),
    ("euclid", "Euclid.gcd", Some(4)),
    ("tcas", "Tcas.advise", None),
    ("wbs", "WbsDriver.step1", None),
    ("bintree", "BinTreeDriver.operations3", None),
    ("treemap", "TreeMapDriver.putRemove", None),
    ("binomialheap", "BinomialHeapDriver.operations3", None),
    ("arbiter", "ArbiterDriver.events1", None),
    ("sortedlist", "SortedListDriver.insertRemove", None),
    ("account", "AccountDriver.operations3", None),
    ("intervalset", "IntervalSetDriver.add2", None),
    ("dates", "Dates.nextDay", None),
];

/// Instructions of a path, many more than any of the originals has: mutants may not end.
const STEPS: u64 = 100_000;
/// Paths of a mutant.
const PATHS: u64 = 5_000;
/// The clock's limit for one exploration, for mutants that grow without end; they count as cut.
const TIME: Duration = Duration::from_secs(30);

/// What became of a mutant.
pub(super) struct Outcome {
    /// The mutant's line of the manifest.
    pub manifest: serde_json::Value,
    /// In words.
    pub line: String,
    /// Without reuse, with the store, with suite and store.
    pub runs: [Counted; 3],
    /// Old tests that still take a path, those that do not, and new ones.
    pub update: (usize, usize, usize),
    /// Whether a bound cut an exploration.
    pub is_cut: bool,
    /// What the tests of the original say.
    pub fate: Fate,
    /// What is not as it must be.
    pub fault: Option<String>,
}

/// A subject's mutants.
pub(super) struct Subject {
    /// Its folder.
    pub name: &'static str,
    /// The method.
    pub method: &'static str,
    /// Tests of the original.
    pub tests: usize,
    /// Of how many mutants these are: those in lines that some test runs.
    pub all: usize,
    /// Mutants in lines that no test of the original runs, which are left out.
    pub idle: usize,
    /// The mutants.
    pub outcomes: Vec<Outcome>,
}

/// Runs and prints; fails when something is wrong with us.
pub(super) fn run(flags: &MutantsStudy) -> Result<ExitCode, String> {
    let fits =
        |name: &str| flags.only.is_empty() || flags.only.iter().any(|o| name.starts_with(&o.to_lowercase()));
    let mut subjects = Vec::new();
    for (name, method, loops) in SUBJECTS.into_iter().filter(|(name, ..)| fits(name)) {
        subjects.push(study(flags, name, method, loops)?);
    }
    if subjects.is_empty() {
        let names = SUBJECTS.map(|(name, ..)| name).join(", ");
        return Err(format!("no subject is called so\nhelp: there are {names}"));
    }
    report::print(flags, &subjects)?;
    if let Some(svg) = &flags.svg {
        super::file::write(svg, plot::svg(&subjects).as_bytes())?;
    }
    let faulty = subjects.iter().any(|s| s.outcomes.iter().any(|o| o.fault.is_some()));
    Ok(ExitCode::from(u8::from(faulty)))
}

/// What the original left behind.
struct Original<'a> {
    setting: Setting<'a>,
    places: Vec<PathBuf>,
    store: Arc<dyn Store>,
    cases: Vec<TestCase>,
    /// Where the mutants are.
    folder: &'a Path,
}

fn study(
    flags: &MutantsStudy,
    name: &'static str,
    method: &'static str,
    loops: Option<u32>,
) -> Result<Subject, String> {
    let mut base = compile(&flags.subjects.join(name).join("v0"))?;
    let places = base.places.clone();
    let classes: Vec<_> =
        mutate::originals(&mut base)?.into_iter().filter(|c| !c.class.ends_with("Driver")).collect();
    let made = mutate::make(&classes, None, &operators(&flags.operators))?;
    let scratch = tempfile::tempdir().map_err(|e| format!("a temporary folder: {e}"))?;
    let folder = scratch.path().join("mutants");
    mutate::write(&folder, &classes, &made)?;
    let jdk = find_jdk().map_err(|e| e.to_string())?;
    let refused = mutate::refused(&jdk, &folder, &made, &places)?;
    let bounds = Bounds { loops, ..Bounds::default() };
    let mut setting = Setting { solver: &flags.solver, method, bounds, core: Core::Solver };
    let store = empty_store();
    let known = Known { reuse: Reuse::Full, store: store.clone(), tests: &[] };
    let explored = explore(&setting, &places, known)?;
    setting.bounds = Bounds {
        loops,
        depth: Some(2 * explored.deepest + 10),
        steps: Some(STEPS),
        paths: Some(PATHS),
        time: Some(TIME),
        ..Bounds::default()
    };
    let original = Original { setting, places, store, cases: explored.cases(), folder: &folder };
    let lines = score::lines_run(&jdk, &original.places, &original.cases)?;
    let is_run = |made: &&Made| {
        made.mutant.line.is_none_or(|line| lines.contains(&(made.class.clone(), made.method.clone(), line)))
    };
    let run: Vec<&Made> = made.iter().filter(is_run).collect();
    let chosen = spread(run.len(), flags.most.map_or(run.len(), |most| most as usize));
    let mut outcomes = Vec::with_capacity(chosen.len());
    for at in chosen {
        let mut outcome = one(&original, run[at])?;
        if let Some((_, why)) = refused.iter().find(|(refused, _)| refused.number == run[at].number) {
            outcome.fault = Some(format!("the verifier refuses it: {why}"));
        }
        crate::say::note(&format!("{name} {}: {}", outcome.line, outcome.fate));
        outcomes.push(outcome);
    }
    let (tests, all, idle) = (original.cases.len(), run.len(), made.len() - run.len());
    Ok(Subject { name, method, tests, all, idle, outcomes })
}

/// Places of so many of all, evenly spread.
pub(crate) fn spread(all: usize, most: usize) -> Vec<usize> {
    let count = most.min(all);
    (0..count).map(|i| i * all / count).collect()
}

/// Explores one mutant, and runs the tests on it.
fn one(original: &Original<'_>, made: &Made) -> Result<Outcome, String> {
    let places = [mutate::folder(original.folder, made)];
    for place in &original.places {
        copy_missing(place, &places[0])?;
    }
    let cases: &[TestCase] = &original.cases;
    let store = || copy_of(&original.store);
    let with = |store, tests| Known { reuse: Reuse::Full, store, tests };
    let explore = |known| explore(&original.setting, &places, known);
    let runs = [explore(Known::no_reuse())?, explore(with(store()?, &[]))?, explore(with(store()?, cases))?];
    let [none, _, both] = &runs;
    let is_cut = runs.iter().any(|run| !run.is_whole);
    let fate = score::fate(&original.setting, &original.places, &places, cases)?;
    let new = both.paths.iter().filter(|path| path.seeds.is_empty()).count();
    Ok(Outcome {
        manifest: mutate::manifest(made),
        line: mutate::line(made),
        update: (cases.len() - both.retired.len().min(cases.len()), both.retired.len(), new),
        fault: runs
            .iter()
            .find_map(|run| run.wrong.clone())
            .or_else(|| if is_cut { None } else { differing(none, both) }),
        is_cut,
        fate,
        runs: runs.map(|run| run.counted),
    })
}

/// Copies what a folder has and another one has not.
pub(crate) fn copy_missing(from: &Path, to: &Path) -> Result<(), String> {
    let trouble = |e: std::io::Error| format!("{}: {e}", from.display());
    std::fs::create_dir_all(to).map_err(trouble)?;
    for entry in std::fs::read_dir(from).map_err(trouble)? {
        let entry = entry.map_err(trouble)?;
        let (old, new) = (entry.path(), to.join(entry.file_name()));
        if old.is_dir() {
            copy_missing(&old, &new)?;
        } else if !new.exists() {
            std::fs::copy(&old, &new).map_err(trouble)?;
        }
    }
    Ok(())
}

/// How the paths of two explorations differ.
fn differing(none: &Explored, both: &Explored) -> Option<String> {
    let keys = |run: &Explored| -> Vec<PathKey> { run.paths.iter().map(|path| path.key.clone()).collect() };
    let (fresh, found) = (keys(none), keys(both));
    (fresh != found).then(|| {
        format!("{} paths with suite and store, not the {} of a fresh exploration", found.len(), fresh.len())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutants_are_taken_from_everywhere() {
        assert_eq!(spread(10, 4), [0, 2, 5, 7]);
        assert_eq!(spread(3, 9), [0, 1, 2]);
        assert!(spread(0, 5).is_empty());
    }
}
