//! `evergreen-lab study explore`: how often a solver is called while the papers' subjects are explored, by
//! level of reuse.
//!
//! As in the papers both arms of every branch are asked, integers are unbounded and nothing is solved
//! natively; each level begins with an empty store, which the versions of a subject share. The papers'
//! techniques are the strict ones, in one canonical form. The last column is what a user gets: Java's
//! integers, every shortcut, the native core; only what depends on the clock is off.
//!
//! Each arm is in one column of what decided it, and the columns are summed against the arms of the explorer.

use super::explore_report;
use crate::flags::ExploreStudy;
use evergreen::solver::{Limits, PipeSolver};
use evergreen::store::{Memory, Store};
use evergreen::{AnsweredBy, Evergreen, Reuse, Technique};
use evergreen_java::classfile::find_jdk;

use evergreen_java::symbolic::Ints;
use evergreen_java::{
    Bounds, Detail, Inputs, JavaFrontend, Options, Program, Shortcuts, Summary, answered, jvm,
};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Bytes of a store in memory: more than any subject needs.
const STORE_BYTES: usize = 1 << 30;

/// What is explored: a method of a subject, in one or several versions.
pub(super) struct Subject {
    /// Its name in tables.
    pub name: &'static str,
    folder: &'static str,
    versions: &'static [&'static str],
    method: &'static str,
    loops: Option<u32>,
    /// Solver calls in GreenTrie's tables: without reuse, by Green, by GreenTrie [Jia ISSTA'15].
    pub paper: Option<[u64; 3]>,
}

const fn subject(name: &'static str, folder: &'static str, method: &'static str) -> Subject {
    Subject { name, folder, versions: &["v0"], method, loops: None, paper: None }
}

impl Subject {
    const fn with_paper(self, paper: [u64; 3]) -> Subject {
        Subject { paper: Some(paper), ..self }
    }
}

/// The papers' subjects, sizes included.
pub(super) const SUBJECTS: [Subject; 15] = [
    subject("TriTyp", "trityp", "TriTyp.classify").with_paper([32, 28, 28]),
    Subject { loops: Some(7), ..subject("Euclid", "euclid", "Euclid.gcd") }.with_paper([642, 552, 464]),
    subject("TCAS", "tcas", "Tcas.advise").with_paper([680, 41, 14]),
    subject("TreeMap, 3 puts", "treemap", "TreeMapDriver.put3").with_paper([24, 24, 24]),
    subject("TreeMap, 4 puts", "treemap", "TreeMapDriver.put4").with_paper([148, 148, 140]),
    subject("TreeMap, 5 puts", "treemap", "TreeMapDriver.put5").with_paper([1080, 956, 806]),
    subject("BinTree, 3 adds", "bintree", "BinTreeDriver.add3").with_paper([84, 41, 25]),
    subject("BinTree, 4 adds", "bintree", "BinTreeDriver.add4").with_paper([472, 238, 118]),
    subject("BinTree, 5 adds", "bintree", "BinTreeDriver.add5").with_paper([3252, 1654, 873]),
    subject("BinomialHeap, 3 operations", "binomialheap", "BinomialHeapDriver.operations3")
        .with_paper([448, 32, 19]),
    subject("BinomialHeap, 4 operations", "binomialheap", "BinomialHeapDriver.operations4")
        .with_paper([3184, 190, 68]),
    subject("Arbiter, 3 events", "arbiter", "ArbiterDriver.events3").with_paper([60648, 21, 13]),
    subject("WBS, 2 steps", "wbs", "WbsDriver.step2"),
    subject("WBS, 3 steps", "wbs", "WbsDriver.step3"),
    Subject {
        versions: &["v0", "v1", "v2", "v3", "v4", "v5"],
        ..subject("TCAS, 6 versions", "tcas", "Tcas.advise")
    },
];

/// A level of reuse, with what else is on.
pub(super) struct Level {
    /// Its name in tables.
    pub name: &'static str,
    /// A technique of the papers; without one, a level of ours.
    pub strict: Option<Technique>,
    reuse: Reuse,
    /// Whether everything is on that a user gets.
    pub everything: bool,
}

const fn level(name: &'static str, reuse: Reuse) -> Level {
    Level { name, strict: None, reuse, everything: false }
}

const fn strict(technique: Technique, name: &'static str) -> Level {
    Level { strict: Some(technique), ..level(name, Reuse::Exact) }
}

/// Without reuse, the papers' techniques, then ours from poor to rich: each includes the one before it.
pub(super) const LEVELS: [Level; 9] = [
    level("none", Reuse::None),
    strict(Technique::Green, "green"),
    strict(Technique::Klee, "klee"),
    strict(Technique::GreenTrie, "greentrie"),
    level("exact", Reuse::Exact),
    level("subset", Reuse::Subset),
    level("logical", Reuse::Logical),
    level("full", Reuse::Full),
    Level { everything: true, ..level("default", Reuse::Full) },
];

/// What one level did with a subject.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Counted {
    /// Paths of all versions.
    pub paths: u64,
    /// Arms that were considered.
    pub queries: u64,
    /// The same by what decided them, in the order of [`columns`]: they add up.
    pub arms: Vec<u64>,
    /// Questions that a solver answered.
    pub calls: u64,
    /// Time of exploration.
    pub time: Duration,
}

/// What decides arms: shortcuts of the explorer, the path itself, the rungs, the solver.
pub(super) fn columns() -> Vec<&'static str> {
    let unasked = Summary::default().unasked().map(|(name, _)| name);
    unasked.into_iter().chain(AnsweredBy::ALL.map(AnsweredBy::name)).collect()
}

fn arms_of(summary: &Summary) -> Vec<u64> {
    let asked = answered(summary);
    summary.unasked().into_iter().map(|(_, n)| n).chain(asked.iter().map(|(_, n)| n)).collect()
}

/// A subject at every level.
pub(super) struct Outcome {
    /// Which.
    pub subject: &'static Subject,
    /// In the order of [`LEVELS`].
    pub counted: Vec<Counted>,
}

/// Runs, prints, and fails when a richer level calls the solver more often, or a level finds other paths.
pub(super) fn run(flags: &ExploreStudy) -> Result<ExitCode, String> {
    let mut outcomes = Vec::new();
    for subject in wanted(flags)? {
        let mut counted = Vec::new();
        let compiled = compile(flags, subject)?;
        for level in &LEVELS {
            let mut sum = Counted::default();
            let store: Arc<dyn Store> = Arc::new(Memory::new(STORE_BYTES));
            for program in &compiled {
                let one = count(flags, subject, level, program, &store)?;
                sum.paths += one.paths;
                sum.queries += one.queries;
                sum.arms.resize(one.arms.len(), 0);
                sum.arms.iter_mut().zip(&one.arms).for_each(|(all, more)| *all += more);
                sum.calls += one.calls;
                sum.time += one.time;
            }
            crate::say::note(&format!(
                "{}, {}: {} calls, {:.1} s",
                subject.name,
                level.name,
                sum.calls,
                sum.time.as_secs_f64()
            ));
            counted.push(sum);
        }
        outcomes.push(Outcome { subject, counted });
    }
    let faults: Vec<String> = outcomes.iter().flat_map(faults).collect();
    explore_report::print(flags, &outcomes, &faults)?;
    Ok(ExitCode::from(u8::from(!faults.is_empty())))
}

fn wanted(flags: &ExploreStudy) -> Result<Vec<&'static Subject>, String> {
    let fits = |s: &&Subject| {
        flags.only.is_empty()
            || flags.only.iter().any(|o| s.name.to_lowercase().starts_with(&o.to_lowercase()))
    };
    let found: Vec<&'static Subject> = SUBJECTS.iter().filter(fits).collect();
    if found.is_empty() {
        let names: Vec<&str> = SUBJECTS.iter().map(|s| s.name).collect();
        return Err(format!("no subject is called so\nhelp: there are {}", names.join("; ")));
    }
    Ok(found)
}

/// The versions of a subject, compiled; each keeps its classes while it lives.
fn compile(flags: &ExploreStudy, subject: &Subject) -> Result<Vec<Program>, String> {
    let open = |version: &&str| {
        let folder = flags.subjects.join(subject.folder).join(version);
        let listed = std::fs::read_dir(&folder).map_err(|e| {
            format!("{}: {e}\nhelp: name the repository's folder with --subjects", folder.display())
        })?;
        let mut files: Vec<PathBuf> = listed.flatten().map(|file| file.path()).collect();
        files.retain(|file| file.extension().is_some_and(|e| e == "java"));
        files.sort();
        let jdk = find_jdk().map_err(|e| e.to_string())?;
        Program::open(&files, None, jdk).map_err(|e| e.to_string())
    };
    subject.versions.iter().map(open).collect()
}

fn count(
    flags: &ExploreStudy,
    subject: &Subject,
    level: &Level,
    compiled: &Program,
    store: &Arc<dyn Store>,
) -> Result<Counted, String> {
    let jdk = find_jdk().map_err(|e| e.to_string())?;
    let program = Program::open(&compiled.places, None, jdk).map_err(|e| e.to_string())?;
    let method = program.methods(Some(subject.method)).map_err(|e| e.to_string())?.remove(0);
    let (strict, reuse, everything) = (level.strict, level.reuse, level.everything);
    let (solver, store) = (flags.solver.clone(), store.clone());
    let make = move || {
        let process =
            PipeSolver::new(evergreen::solver::Command::parse_or_missing(&solver), Limits::default());
        let process = if reuse == Reuse::Full { process.keeping_stack() } else { process };
        let builder = Evergreen::builder().with_store(store.clone()).with_solver(Box::new(process));
        match strict {
            Some(technique) => builder.strict(technique).build(),
            None => builder.reuse(reuse).native(everything).regulate(false).build(),
        }
    };
    let ints = if everything { Ints::Wrapped } else { Ints::Math };
    let mut exploration = JavaFrontend::explore(program, ints, jvm::Options::default(), Box::new(make))
        .map_err(|e| e.to_string())?;
    let options = Options {
        shortcuts: if everything { Shortcuts::All } else { Shortcuts::None },
        bounds: Bounds { loops: subject.loops, ..Bounds::default() },
        ..Options::default()
    };
    let start = Instant::now();
    let run = exploration.entry(&method, &Inputs::default(), options).map_err(|e| e.to_string())?;
    let mut run = run.without_shrinking().telling(Detail::Brief);
    while run.next_path().is_some() {}
    let time = start.elapsed();
    let (summary, paths) = (run.summary(), run.tally().paths);
    let trouble = run.oracle().trouble();
    let odd = trouble.error.iter().chain(&trouble.unknown).chain(&trouble.wrong_models).next();
    if let Some(odd) = odd {
        return Err(format!("{}, {}: {odd}", subject.name, level.name));
    }
    let (queries, calls) = (summary.queries(), run.oracle().stats().solved);
    Ok(Counted { paths, queries, arms: arms_of(&summary), calls, time })
}

/// What is not as it must be.
fn faults(outcome: &Outcome) -> Vec<String> {
    let mut faults = Vec::new();
    let name = outcome.subject.name;
    for (level, counted) in LEVELS.iter().zip(&outcome.counted) {
        let sum: u64 = counted.arms.iter().sum();
        if sum != counted.queries {
            faults.push(format!("{name}: {sum} of {} arms have a column at {}", counted.queries, level.name));
        }
    }
    for (at, (level, counted)) in LEVELS.iter().zip(&outcome.counted).enumerate().skip(1) {
        // Java's integers have other questions, and may have paths of their own.
        if level.everything {
            continue;
        }
        // The papers' techniques are compared among each other, ours among ours, both with none.
        let is_kin = |other: &usize| *other == 0 || LEVELS[*other].strict.is_some() == level.strict.is_some();
        let Some(before) = (0..at).rev().find(is_kin) else { continue };
        let (poorer, less) = (LEVELS[before].name, &outcome.counted[before]);
        let richer = level.name;
        if counted.calls > less.calls {
            faults.push(format!("{name}: {} calls by {richer}, {} by {poorer}", counted.calls, less.calls));
        }
        if counted.paths != less.paths {
            faults.push(format!("{name}: {} paths by {richer}, {} by {poorer}", counted.paths, less.paths));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_calls_and_other_paths_are_faults() {
        let counted = |calls, paths| Counted { calls, paths, ..Counted::default() };
        let of = |counted| faults(&Outcome { subject: &SUBJECTS[0], counted });
        assert!(of(vec![counted(5, 3), counted(5, 3), counted(0, 3)]).is_empty());
        assert_eq!(of(vec![counted(5, 3), counted(6, 3)]), ["TriTyp: 6 calls by green, 5 by none"]);
        assert_eq!(of(vec![counted(5, 3), counted(5, 4)]), ["TriTyp: 4 paths by green, 3 by none"]);
        let lost = Counted { queries: 7, arms: vec![2, 4], ..Counted::default() };
        assert_eq!(of(vec![lost]), ["TriTyp: 6 of 7 arms have a column at none"]);
        // Our exact form finds less than GreenTrie, and more than Green: no chain.
        let chain = [9, 8, 7, 6, 7, 6, 5, 4].map(|calls| counted(calls, 3));
        assert!(of(chain.to_vec()).is_empty());
    }
}
