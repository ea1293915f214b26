//! What a query costs that was answered before: by stage, and whole, from each store.

use super::paths::{ATOMS, SymbolicPath};
use super::samples::Samples;
use evergreen::solver::{Command, Limits, PipeSolver};
use evergreen::store::Store;
use evergreen::{CanonMode, Canonizer, Evergreen, Question, Reuse, Stage, TermId, Trust, digest};
use std::sync::Arc;
use std::time::Duration;

/// Times of queries along paths.
#[derive(Default)]
pub(super) struct Hits {
    /// A whole query: slice, canonize, key, look up, check.
    pub whole: Samples,
    /// Each stage of it, in the order of [`Stage::ALL`].
    pub stages: [Samples; 6],
    /// Questions that reached the solver.
    pub solved: u64,
}

fn open(store: Arc<dyn Store>, solver: &Command) -> Result<Evergreen, String> {
    // Certificates are measured elsewhere: here every store is trusted.
    Evergreen::builder()
        .with_store(store)
        .trust(Trust::All)
        // What is measured is a record that is found: the native core would not look for one.
        .reuse(Reuse::Exact)
        .native(false)
        .with_solver(Box::new(PipeSolver::new(solver.clone(), Limits::default())))
        .build()
        .map_err(|e| e.to_string())
}

/// Walks the paths, each in an arena of its own, so that every constraint is met for the first time once.
pub(super) fn walk(store: Arc<dyn Store>, solver: &Command, paths: &[SymbolicPath]) -> Result<Hits, String> {
    let mut evergreen = open(store, solver)?;
    let mut hits = Hits::default();
    for path in paths {
        evergreen.renew();
        let mut steps: Vec<(TermId, TermId)> = Vec::with_capacity(ATOMS);
        for (taken, asked) in path.taken.iter().zip(&path.asked) {
            let terms = evergreen.terms();
            steps.push((taken.term(terms).ok_or("a term")?, asked.term(terms).ok_or("a term")?));
        }
        for (taken, asked) in steps {
            evergreen.push_feasible(&[taken]).map_err(|e| e.to_string())?;
            let before = evergreen.stats().stages;
            let answer = hits.whole.time(|| evergreen.branch(asked, Question::Sat));
            answer.map_err(|e| e.to_string())?;
            for (i, stage) in Stage::ALL.into_iter().enumerate() {
                hits.stages[i].add(evergreen.stats().stage(stage) - before[i]);
            }
        }
    }
    hits.solved = evergreen.stats().solved;
    evergreen.flush().map_err(|e| e.to_string())?;
    Ok(hits)
}

/// The hash of a canonical form by itself: a part of canonizing.
pub(super) fn keys(paths: &[SymbolicPath]) -> Result<Samples, String> {
    let mut terms = evergreen::Terms::new();
    let mut canonizer = Canonizer::new(CanonMode::Full);
    let mut samples = Samples::default();
    const REPEAT: u32 = 100;
    for path in paths {
        let atoms: Option<Vec<TermId>> = path.taken.iter().map(|a| a.term(&mut terms)).collect();
        let form = canonizer.canonize(&terms, &atoms.ok_or("a term")?).form;
        let start = std::time::Instant::now();
        for _ in 0..REPEAT {
            std::hint::black_box(digest(std::hint::black_box(&form)));
        }
        samples.add(start.elapsed() / REPEAT);
    }
    Ok(samples)
}

/// The clock by itself, for judging the times of stages.
pub(super) fn clock() -> Duration {
    let start = std::time::Instant::now();
    for _ in 0..1000 {
        std::hint::black_box(std::time::Instant::now());
    }
    start.elapsed() / 1000
}
