//! Whoever merges: takes the results of all workers in the order of paths, and decides what only the order can tell.

use super::super::ending::{How, PathEnd};
use super::super::run::{SHRUNK_OF_A_KIND, Told};
use super::super::tally::Tally;
use super::worker::{Place, Result};
use super::{Finished, Job, Used, Workers};
use evergreen_explore::{Bound, Summary};
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

/// Between two looks at progress.
const TICK: Duration = Duration::from_millis(100);

type Progress = Box<dyn FnMut(&Summary)>;

/// The paths of a method that several workers explore.
pub struct Together<'w> {
    workers: &'w mut Workers,
    job: Arc<Job>,
    batches: VecDeque<Vec<Result>>,
    /// The batch that is being told.
    results: std::vec::IntoIter<Result>,
    /// Who found the last path, and what was given back to whom.
    teller: usize,
    used: Vec<Used>,
    tally: Tally,
    /// Ends that count for the bound on paths.
    outcomes: u64,
    /// What was open when that bound was reached.
    cut: Option<u64>,
    started: Instant,
    progress: Option<Progress>,
    is_finished: bool,
}

impl<'w> Together<'w> {
    pub(super) fn new(workers: &'w mut Workers, job: Arc<Job>) -> Together<'w> {
        let used = (0..workers.count).map(|_| Used::default()).collect();
        Together {
            workers,
            job,
            batches: VecDeque::new(),
            results: Vec::new().into_iter(),
            teller: 0,
            used,
            tally: Tally::default(),
            outcomes: 0,
            cut: None,
            started: Instant::now(),
            progress: None,
            is_finished: false,
        }
    }

    pub(super) fn on_progress(mut self, tell: impl FnMut(&Summary) + 'static) -> Together<'w> {
        self.progress = Some(Box::new(tell));
        self
    }

    /// The next path in order.
    pub fn next_path(&mut self) -> Option<Box<PathEnd>> {
        while self.cut.is_none() {
            let Some(result) = self.results.next() else {
                match self.batches.pop_front() {
                    Some(batch) => self.results = batch.into_iter(),
                    None => self.batches = self.wait()?,
                }
                continue;
            };
            self.teller = result.worker;
            let counts = result.path.as_ref().is_none_or(|told| told.is_outcome);
            self.outcomes += u64::from(counts);
            if self.job.options.bounds.paths.is_some_and(|most| self.outcomes >= most) {
                self.cut = Some(result.open);
                self.stop();
            }
            if let Some(told) = result.path {
                return Some(self.tell(told));
            }
        }
        None
    }

    /// Gives the last path back to whoever found it.
    pub fn give_back(&mut self, path: Box<PathEnd>) {
        if let Some(used) = self.used.get_mut(self.teller) {
            used.0.push(path);
        }
    }

    /// Waits for results that are next; none if there will be none.
    fn wait(&mut self) -> Option<VecDeque<Vec<Result>>> {
        let shared = self.workers.shared.clone();
        let mut state = shared.lock();
        for (worker, used) in self.used.iter_mut().enumerate() {
            if let Some(all) = state.used.get_mut(worker).filter(|_| !used.0.is_empty()) {
                all.push(std::mem::take(used));
            }
        }
        loop {
            let all_left = state.left.len() >= state.alive;
            if all_left && let Some(board) = &mut state.board {
                // Whoever had to stop has left parts that nobody will take.
                let abandoned = board.abandon() as u64;
                state.abandoned += abandoned;
            }
            let somebody_waits = state.waiting > 0;
            if let Some(board) = &mut state.board {
                let next = board.next();
                shared.is_full.store(board.is_full(), Ordering::Relaxed);
                // There may be room again, or another segment is the first now.
                let has_work = somebody_waits && board.offered() > 0;
                if let Some(results) = next {
                    drop(state);
                    if has_work {
                        shared.work.notify_all();
                    }
                    return Some(results);
                }
                if has_work {
                    shared.work.notify_all();
                }
                if board.is_done() && all_left {
                    return None;
                }
            } else if all_left {
                return None;
            }
            state.teller_sleeps = true;
            state = shared.told.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner).0;
            state.teller_sleeps = false;
            if let Some(tell) = &mut self.progress {
                let mut sum = Summary::default();
                let all = self.job.progress.lock().unwrap_or_else(PoisonError::into_inner);
                all.iter().for_each(|one| sum.add(one));
                tell(&sum);
            }
        }
    }

    /// Decides what the order decides: the number of a path, and which inputs it is told with.
    fn tell(&mut self, told: Told) -> Box<PathEnd> {
        let Told { mut end, smaller, kind, .. } = told;
        if let Some(kind) = kind {
            let mut enough = self.job.enough.lock().unwrap_or_else(PoisonError::into_inner);
            let seen = enough.entry(kind).or_insert(0);
            *seen = seen.saturating_add(1);
            if *seen <= SHRUNK_OF_A_KIND
                && let Some(smaller) = smaller
            {
                end = *smaller;
            }
        }
        self.tally.count_objects(&end);
        let mut path = end.path;
        if matches!(path.how, How::Returned(_) | How::Threw { .. } | How::Exited(_)) {
            self.tally.paths += 1;
        }
        path.number = self.tally.paths;
        path
    }

    /// Nobody needs more.
    fn stop(&self) {
        let shared = &self.workers.shared;
        shared.stop.store(true, Ordering::Relaxed);
        drop(shared.lock());
        shared.work.notify_all();
    }

    /// Waits until all have left the job.
    fn wait_for_all(&self) {
        self.stop();
        let shared = &self.workers.shared;
        let mut state = shared.lock();
        while state.left.len() < state.alive && !self.is_finished {
            state = shared.told.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits until all have left the job, and adds up what they say.
    pub(super) fn finish(mut self) -> Finished {
        self.wait_for_all();
        self.is_finished = true;
        let shared = self.workers.shared.clone();
        let mut state = shared.lock();
        let mut done = Finished { tally: std::mem::take(&mut self.tally), ..Finished::default() };
        let mut arms: BTreeMap<Place, u64> = BTreeMap::new();
        for left in state.left.drain(..) {
            done.summary.add(&left.summary);
            done.tally.add(&left.tally);
            for (place, times) in left.coverage {
                *arms.entry(place).or_insert(0) += times;
            }
            done.retired.extend(left.retired);
            self.workers.counted.insert(left.worker, (left.stats, left.solver_starts, left.trouble));
        }
        if let (None, Some(bound)) = (self.cut, state.cut) {
            done.summary.cut.add(bound, state.abandoned);
        }
        if let Some(open) = self.cut {
            done.summary.paths = self.outcomes;
            done.summary.cut = Default::default();
            done.summary.cut.add(Bound::Paths, open);
        }
        done.summary.elapsed = self.started.elapsed();
        done.arms = (arms.values().filter(|times| **times > 0).count(), arms.len());
        done.retired.sort_by_key(|(number, _)| *number);
        done.retired.dedup_by_key(|(number, _)| *number);
        done
    }
}

impl Drop for Together<'_> {
    /// The next job must not begin while someone is at this one.
    fn drop(&mut self) {
        self.wait_for_all();
    }
}
