//! `evergreen-lab study counting`: how many counts are reused while containers are explored, beside Green's
//! Table 1 and Figure 4.
//!
//! As in the paper a container gets n operations, every sequence of insertions and deletions is explored by
//! itself with symbolic keys, and at every branch both arms are counted; each cell begins with an empty
//! store. `default` is what a user gets: the other arm by subtraction, and nothing counted twice.

use super::counting_report;
use crate::flags::CountingStudy;
use evergreen::solver::{Limits, PipeSolver};
use evergreen::store::{Memory, Store};
use evergreen::{Event, Evergreen, KeyBytes, Rank, Reuse};
use evergreen_java::classfile::find_jdk;
use evergreen_java::symbolic::Ints;
use evergreen_java::{Detail, Inputs, JavaFrontend, Mass, Measure, Options, Program, Shortcuts, jvm};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Bytes of a store in memory: more than any cell needs.
const STORE_BYTES: usize = 1 << 30;

/// A container of the paper.
pub(super) struct Container {
    /// Its name.
    pub name: &'static str,
    folder: &'static str,
    /// Table 1 for n = 2 to 5: the time with the store over that without, and the share of counts that were
    /// reused.
    pub paper: [[Option<f64>; 4]; 2],
    /// Section 4.2: the share of sub-queries that the others have too.
    pub paper_shared: f64,
}

/// The containers of Table 1.
pub(super) const CONTAINERS: [Container; 3] = [
    Container {
        name: "BinomialHeap",
        folder: "binomialheap",
        paper: [
            [Some(0.654), Some(0.327), Some(0.209), Some(0.105)],
            [Some(0.467), Some(0.677), Some(0.751), Some(0.802)],
        ],
        paper_shared: 0.488,
    },
    Container {
        name: "BinTree",
        folder: "bintree",
        paper: [[Some(0.573), Some(0.259), Some(0.143), None], [Some(0.500), Some(0.675), Some(0.782), None]],
        paper_shared: 0.540,
    },
    Container {
        name: "TreeMap",
        folder: "treemap",
        paper: [[Some(0.782), Some(0.588), Some(0.438), None], [Some(0.250), Some(0.235), Some(0.258), None]],
        paper_shared: 0.505,
    },
];

/// How counts are made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Every arm, without a store.
    Without,
    /// Every arm, with a store.
    With,
    /// One arm of every branch, with a store.
    Default,
}

/// What one run over all sequences of operations did.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ran {
    /// Paths.
    pub paths: u64,
    /// Counts asked for.
    pub queries: u64,
    /// Components looked up, and those that were found.
    pub components: (u64, u64),
    /// Of the components that were found, those that the run itself had counted.
    pub own: u64,
    /// Sub-counts looked up, and those that were found.
    pub sub_counts: (u64, u64),
    /// The time of counting alone.
    pub counting: Duration,
    /// The time of everything.
    pub time: Duration,
    /// Keys of components, and of sub-counts.
    pub keys: [BTreeSet<KeyBytes>; 2],
}

/// A container with n operations.
pub(super) struct Cell {
    /// Which.
    pub container: &'static Container,
    /// Operations.
    pub n: u32,
    /// Every arm, without a store.
    pub without: Ran,
    /// Every arm, with a store.
    pub with: Ran,
    /// What a user gets.
    pub usual: Ran,
}

/// Runs, prints, and fails when probabilities do not add up to 1.
pub(super) fn run(flags: &CountingStudy) -> Result<ExitCode, String> {
    let mut cells = Vec::new();
    for container in &CONTAINERS {
        let wanted =
            flags.only.is_empty() || flags.only.iter().any(|name| name.eq_ignore_ascii_case(container.name));
        if !wanted {
            continue;
        }
        let compiled = open(flags, container)?;
        for n in 2..=flags.operations {
            let ran = |mode: Mode| explore(container, &compiled.places, n, mode);
            let (without, with, usual) = (ran(Mode::Without)?, ran(Mode::With)?, ran(Mode::Default)?);
            if without.paths != with.paths || without.queries != with.queries {
                return Err(format!("{}, {n}: other paths with a store than without", container.name));
            }
            crate::say::note(&format!(
                "{}, {n} operations: {} paths, {} counts, {} of {} found, {:.2} s without, {:.2} s with",
                container.name,
                with.paths,
                with.queries,
                with.components.1,
                with.components.0,
                without.time.as_secs_f64(),
                with.time.as_secs_f64()
            ));
            cells.push(Cell { container, n, without, with, usual });
        }
    }
    if cells.is_empty() {
        return Err("no container is called so\nhelp: there are BinomialHeap, BinTree, TreeMap".into());
    }
    counting_report::print(flags, &cells)?;
    Ok(ExitCode::SUCCESS)
}

fn open(flags: &CountingStudy, container: &Container) -> Result<Program, String> {
    let version = flags.subjects.join(container.folder).join("v0");
    let mut files: Vec<PathBuf> =
        vec![flags.subjects.join("updates").join(format!("{}Updates.java", container.name))];
    files.push(version.join(format!("{}.java", container.name)));
    if let Some(missing) = files.iter().find(|file| !file.exists()) {
        return Err(format!(
            "{}: no such file\nhelp: name the repository's folder with --subjects",
            missing.display()
        ));
    }
    let jdk = find_jdk().map_err(|e| e.to_string())?;
    Program::open(&files, None, jdk).map_err(|e| e.to_string())
}

/// Explores every sequence of insertions and deletions, with an empty store.
fn explore(container: &Container, places: &[PathBuf], n: u32, mode: Mode) -> Result<Ran, String> {
    let store: Arc<dyn Store> = Arc::new(Memory::new(STORE_BYTES));
    count_updates(&format!("{}Updates.updates", container.name), places, n, mode, store)
}

/// Explores every sequence of insertions and deletions that a method makes, and counts, over a store.
///
/// # Errors
/// The program cannot be explored, or probabilities do not add up to 1.
pub(crate) fn count_updates(
    name: &str,
    places: &[PathBuf],
    n: u32,
    mode: Mode,
    store: Arc<dyn Store>,
) -> Result<Ran, String> {
    let jdk = find_jdk().map_err(|e| e.to_string())?;
    let program = Program::open(places, None, jdk).map_err(|e| e.to_string())?;
    let method = program.methods(Some(name)).map_err(|e| e.to_string())?.remove(0);
    // Who counts is made first; arms are decided in the same way in all modes.
    let mut reuse = if mode == Mode::Without { Reuse::None } else { Reuse::Full };
    let make = move || {
        let reuse = std::mem::replace(&mut reuse, Reuse::Full);
        let process = PipeSolver::new(evergreen::solver::Command::parse_or_missing("z3"), Limits::default())
            .keeping_stack();
        let builder = Evergreen::builder().with_store(store.clone()).with_solver(Box::new(process));
        builder.reuse(reuse).native(true).regulate(false).log_events().build()
    };
    let mut exploration =
        JavaFrontend::explore(program, Ints::Wrapped, jvm::Options::default(), Box::new(make))
            .map_err(|e| e.to_string())?;
    let every_arm = mode != Mode::Default;
    exploration.measure(Measure { every_arm, ..Measure::default() }).map_err(|e| e.to_string())?;
    let shortcuts = if every_arm { Shortcuts::None } else { Shortcuts::All };
    let start = Instant::now();
    let mut ran = Ran::default();
    let mut recorded = BTreeSet::new();
    for which in 0..1u32 << n {
        let concrete = vec![("n".to_string(), n.to_string()), ("which".to_string(), which.to_string())];
        let inputs = Inputs { concrete, ..Inputs::default() };
        let options = Options { shortcuts, ..Options::default() };
        let run = exploration.entry(&method, &inputs, options).map_err(|e| e.to_string())?;
        let mut run = run.without_shrinking().telling(Detail::Brief);
        while run.next_path().is_some() {}
        ran.paths += run.tally().paths;
        let sum = run.distribution().map(|told| told.sum());
        if sum.as_ref() != Some(&Mass::one()) {
            return Err(format!("{name}, {n}: probabilities add up to {sum:?}"));
        }
        for event in exploration.take_count_events() {
            match event {
                Event::CountRecorded { key, rank } if rank != Rank::SubCount => drop(recorded.insert(key)),
                Event::CountReused { key, rank } if rank != Rank::SubCount => {
                    ran.own += u64::from(recorded.contains(&key));
                }
                _ => {}
            }
            if let Event::CountRecorded { key, rank } | Event::CountReused { key, rank } = event {
                ran.keys[usize::from(rank == Rank::SubCount)].insert(key);
            }
        }
    }
    ran.time = start.elapsed();
    let masses = exploration.oracle().masses().ok_or("the exploration does not count")?;
    let stats = masses.stats();
    ran.queries = stats.queries;
    ran.components = (stats.components, stats.reused);
    ran.sub_counts = (stats.sub_counts, stats.sub_reused);
    ran.counting = masses.time();
    Ok(ran)
}
