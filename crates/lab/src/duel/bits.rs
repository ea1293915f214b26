//! The duel of the core of bit vectors alone: random conjunctions, asked in this process.
//!
//! Every model is evaluated on the terms as they were made. Every unsatisfiable core is asked again: of few
//! bits all assignments are tried, the others go to yices, some of them to z3 and bitwuzla, too. So do some
//! of the satisfiable ones, which judges the evaluator.
//!
//! A job is a ground with a path of queries; the seed and its number determine it. The core keeps what it
//! knows from query to query, and the last model steers it, as on a path.

mod job;
mod make;
mod operators;
mod plain;
mod report;
mod rival;
mod shrink;

pub use job::{Found, Kind};
pub use make::Family;
pub use report::{Report, Row, Tally};
pub use rival::Rival;

use super::Limit;
use crate::interrupt;
use job::Worker;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// How a duel of the core is fought.
#[derive(Clone, Debug)]
pub struct Options {
    /// The seed of everything.
    pub seed: u64,
    /// When it ends.
    pub limit: Limit,
    /// Jobs at once.
    pub threads: usize,
    /// Where scripts that differ are kept; a temporary folder without it.
    pub keep: Option<PathBuf>,
}

/// Fights until the limit, a difference or a signal. An error is what keeps it from going on.
pub fn run(options: &Options) -> Result<Report, String> {
    let folder = tempfile::tempdir().map_err(|e| format!("temporary folder: {e}"))?;
    let start = Instant::now();
    let (next, asked, stop) = (AtomicU64::new(0), AtomicU64::new(0), AtomicBool::new(false));
    let shared: Mutex<(Tally, Vec<String>, Option<String>)> = Mutex::default();
    let is_over = || {
        stop.load(Ordering::Relaxed)
            || interrupt::is_interrupted()
            || match options.limit {
                Limit::Checks(checks) => asked.load(Ordering::Relaxed) >= checks,
                Limit::Time(time) => start.elapsed() >= time,
            }
    };
    let work = |thread: usize| -> Result<(), String> {
        let own = folder.path().join(thread.to_string());
        std::fs::create_dir_all(&own).map_err(|e| format!("{}: {e}", own.display()))?;
        let mut worker = Worker::new(options.seed, &own)?;
        while !is_over() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let found = worker.job(number)?;
            asked.fetch_add(worker.asked_by_last, Ordering::Relaxed);
            if let Some(found) = found {
                stop.store(true, Ordering::Relaxed);
                let text = worker.describe(found, options.keep.as_deref())?;
                lock(&shared).1.push(text);
            }
        }
        lock(&shared).0.add(&worker.tally);
        Ok(())
    };
    std::thread::scope(|scope| {
        for thread in 0..options.threads.max(1) {
            let (work, shared, stop) = (&work, &shared, &stop);
            scope.spawn(move || {
                if let Err(trouble) = work(thread) {
                    stop.store(true, Ordering::Relaxed);
                    lock(shared).2.get_or_insert(trouble);
                }
            });
        }
    });
    let (tally, differences, trouble) = shared.into_inner().unwrap_or_else(|e| e.into_inner());
    if let Some(trouble) = trouble {
        return Err(trouble);
    }
    let interrupted = interrupt::is_interrupted();
    Ok(Report { seed: options.seed, tally, elapsed: start.elapsed(), differences, interrupted })
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|e| e.into_inner())
}
