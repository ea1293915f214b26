//! What one worker does: take a part, explore it, tell its paths, give away what others ask for.

use super::super::exploration::Exploration;
use super::super::oracle::{BranchOracle, Trouble};
use super::super::part::{Advanced, Part};
use super::super::run::{Kind, Run, SHRUNK_OF_A_KIND, Small, Told};
use super::super::seeds::Retirement;
use super::super::tally::Tally;
use super::board::{Board, SegmentId};
use super::{Job, Shared, State, Used, begin};
use crate::Stats;
use evergreen_explore::{Bound, Options, Summary};
use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The stack of a worker: conditions are walked recursively.
pub(super) const STACK: usize = 64 << 20;
/// Results that are told at once: fewer wake whoever merges more often than it has much to do.
const BATCH: usize = 128;
/// The longest that a result is kept for a batch.
const PATIENCE: Duration = Duration::from_millis(20);
/// Results that may wait for those before them: the more, the more memory is touched that no cache has; the fewer, the more often work is put off.
const MOST_WAITING: usize = 1 << 12;

/// An end, and how many subtrees a single explorer would have open then.
pub(super) struct Result {
    /// What is told, if it is the end of a path; and whether the program ended it.
    pub(super) path: Option<Told>,
    pub(super) open: u64,
    /// Who found it, and gets its memory back.
    pub(super) worker: usize,
}

/// What a worker says when it leaves a job.
pub(super) struct Left {
    pub(super) worker: usize,
    /// Why the job could not begin.
    pub(super) refused: Option<String>,
    pub(super) summary: Summary,
    pub(super) tally: Tally,
    /// How often arms were taken: class, method, descriptor, instruction, arm.
    pub(super) coverage: Vec<(Place, u64)>,
    pub(super) retired: Vec<(usize, Retirement)>,
    /// What its oracle counted, in all its jobs.
    pub(super) stats: Stats,
    pub(super) solver_starts: u64,
    pub(super) trouble: Trouble,
}

/// An arm of a place, the same for all workers.
pub(super) type Place = (Arc<str>, Arc<str>, Arc<str>, Option<u32>, u32);

/// The life of a worker.
pub(super) fn work(
    shared: &Shared,
    make: &(dyn Fn() -> std::result::Result<Exploration, String> + Sync),
    number: usize,
) {
    let lived = catch_unwind(AssertUnwindSafe(|| live(shared, make, number)));
    // Whoever counts on this worker must not wait for it.
    shared.lock().alive -= 1;
    match lived {
        Ok(Ok(())) => {}
        Ok(Err(why)) => shared.fail(why),
        Err(panic) => shared.fail(format!("a worker panicked: {}", said(&*panic))),
    }
    shared.told.notify_all();
}

fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "for no reason".into())
}

fn live(
    shared: &Shared,
    make: &(dyn Fn() -> std::result::Result<Exploration, String> + Sync),
    number: usize,
) -> std::result::Result<(), String> {
    let mut exploration = make()?;
    let mut last = 0;
    while let Some(job) = next_job(shared, &mut last) {
        let left = explore(shared, &mut exploration, &job, number)?;
        let mut state = shared.lock();
        if let Some(error) = &left.trouble.error {
            state.failed.get_or_insert_with(|| error.clone());
            shared.stop.store(true, Ordering::Relaxed);
            shared.work.notify_all();
        }
        state.left.push(left);
        drop(state);
        shared.told.notify_all();
    }
    Ok(())
}

/// Waits for a job that comes after the last one.
fn next_job(shared: &Shared, last: &mut u64) -> Option<Arc<Job>> {
    let mut state = shared.lock();
    loop {
        if state.closed || state.failed.is_some() {
            return None;
        }
        if let Some((number, job)) = &state.job
            && number > last
        {
            *last = *number;
            return Some(job.clone());
        }
        state = shared.work.wait(state).unwrap_or_else(PoisonError::into_inner);
    }
}

/// One job, from its beginning to its end.
fn explore(
    shared: &Shared,
    exploration: &mut Exploration,
    job: &Arc<Job>,
    number: usize,
) -> std::result::Result<Left, String> {
    // Who merges counts paths: what a worker finds may come after paths that nobody has found yet.
    let mut options: Options = job.options.clone();
    let most_paths = options.bounds.paths.take();
    let told = job.clone();
    let progress = move |summary: &Summary| {
        let mut all = told.progress.lock().unwrap_or_else(PoisonError::into_inner);
        all[number].clone_from(summary);
    };
    let mut run = match begin(exploration, &job.method, &job.inputs, options, job.old.clone(), job.telling) {
        Ok(run) => run.on_progress(progress),
        Err(e) => return Ok(Left { refused: Some(e.to_string()), ..Left::of(exploration.oracle(), number) }),
    };
    let root = run.give_any();
    // All of them find the same root; there is none if the range has no paths.
    shared.lock().board.get_or_insert_with(|| Board::new(root, MOST_WAITING));
    shared.told.notify_all();
    shared.work.notify_all();
    while let Some((segment, part)) = take(shared) {
        run.resume(&part).map_err(|e| {
            format!("a part of {} cannot be resumed (please report this): {e}\n{part}", job.method)
        })?;
        run.seen = enough(job);
        let mut telling =
            Telling { shared, worker: number, segment, batch: Vec::new(), since: Instant::now(), found: 0 };
        telling.explore(&mut run, most_paths);
    }
    Ok(Left {
        summary: run.summary(),
        tally: run.tally().clone(),
        coverage: coverage(&run),
        retired: run.retired(),
        ..Left::of(run.oracle(), number)
    })
}

impl Left {
    fn of(oracle: &BranchOracle, worker: usize) -> Left {
        Left {
            worker,
            refused: None,
            summary: Summary::default(),
            tally: Tally::default(),
            coverage: Vec::new(),
            retired: Vec::new(),
            stats: oracle.stats(),
            solver_starts: oracle.solver_starts(),
            trouble: oracle.trouble().clone(),
        }
    }
}

/// How often arms were taken, by places that all workers know.
fn coverage(run: &Run<'_>) -> Vec<(Place, u64)> {
    let place = |(site, arm, times)| {
        let (method, instruction) = run.exploration.jvm.instruction(site)?;
        let (class, name, descriptor) = (&method.class_name, &method.name, &method.descriptor);
        Some(((class.clone(), name.clone(), descriptor.clone(), instruction, arm), times))
    };
    run.coverage().arms().into_iter().filter_map(place).collect()
}

/// Exceptions of which enough were told with small inputs: no more of them need be made small.
fn enough(job: &Job) -> BTreeMap<Kind, u32> {
    let told = job.enough.lock().unwrap_or_else(PoisonError::into_inner);
    let enough = told.iter().filter(|(_, count)| **count >= SHRUNK_OF_A_KIND);
    enough.map(|(kind, count)| (kind.clone(), *count)).collect()
}

/// A part to work on; waits for one. None if nothing is left.
fn take(shared: &Shared) -> Option<(SegmentId, Part)> {
    let mut state = shared.lock();
    loop {
        if shared.stop.load(Ordering::Relaxed) {
            return None;
        }
        let board = state.board.as_mut()?;
        if let Some(found) = board.take() {
            state.note_wanted(shared);
            return Some(found);
        }
        if board.is_over() {
            // Others may wait, too.
            shared.work.notify_all();
            shared.told.notify_all();
            return None;
        }
        state.waiting += 1;
        state.note_wanted(shared);
        state = shared.work.wait(state).unwrap_or_else(PoisonError::into_inner);
        state.waiting -= 1;
        state.note_wanted(shared);
    }
}

/// What a worker tells of one segment.
struct Telling<'s> {
    shared: &'s Shared,
    worker: usize,
    segment: SegmentId,
    batch: Vec<Result>,
    since: Instant,
    /// Ends of this segment that count as paths.
    found: u64,
}

impl Telling<'_> {
    /// Explores a segment, or as much of it as nobody else does.
    fn explore(&mut self, run: &mut Run<'_>, most_paths: Option<u64>) {
        let mut beyond = self.shared.lock().board.as_ref().map_or(0, |board| board.beyond(self.segment));
        loop {
            let path = match run.advance(Small::Beside) {
                Advanced::Path(told) => Some(told),
                Advanced::NoPath => None,
                Advanced::Open => {
                    self.answer(run, &mut beyond);
                    continue;
                }
                Advanced::Done => break,
            };
            let counts = path.as_ref().is_none_or(|told| told.is_outcome);
            self.found += u64::from(counts);
            let open = run.open_states() as u64 + beyond;
            self.batch.push(Result { path, open, worker: self.worker });
            // Whoever merges will have all that it wants before this segment is over.
            if most_paths.is_some_and(|most| self.found >= most) {
                break;
            }
            if self.batch.len() >= BATCH || self.since.elapsed() > PATIENCE {
                self.tell(run);
            }
            self.answer(run, &mut beyond);
        }
        while run.give_any().is_some() {}
        self.tell(run);
        let cut = run.summary().cut;
        let ended =
            [Bound::Time, Bound::Memory, Bound::Interrupt].into_iter().find(|bound| cut.by(*bound) > 0);
        let mut state = self.shared.lock();
        if ended.is_some() || run.oracle().trouble().error.is_some() {
            state.cut = state.cut.or(ended);
            self.shared.stop.store(true, Ordering::Relaxed);
            self.shared.work.notify_all();
        }
        if let Some(board) = &mut state.board {
            board.end(self.segment);
            if board.is_over() {
                self.shared.work.notify_all();
            }
        }
        self.shared.wake_teller(state);
    }

    /// Gives away what others wait for; stops where nobody needs more; puts the segment off if it is too far ahead.
    fn answer(&mut self, run: &mut Run<'_>, beyond: &mut u64) {
        if self.shared.stop.load(Ordering::Relaxed) {
            let dropped = std::iter::from_fn(|| run.give_any()).count() as u64;
            self.shared.lock().abandoned += dropped;
            return;
        }
        if self.shared.wanted.load(Ordering::Relaxed) > 0 && run.open_states() > 1 {
            let mut state = self.shared.lock();
            if state.note_wanted(self.shared) > 0 {
                // What is given away last comes first. If many results wait it should be small, so that those after it do not wait long.
                let is_crowded = state.board.as_ref().is_some_and(Board::is_crowded);
                let kept = if is_crowded { run.open_states().div_ceil(2) } else { run.open_states() - 1 };
                while run.open_states() > kept
                    && let Some(part) = run.give()
                {
                    self.give(&mut state, part, beyond);
                }
                // Whoever is woken needs the lock.
                drop(state);
                self.shared.work.notify_one();
            }
        }
        // Looked at once for each batch: it takes the lock, and a walk over segments.
        if self.batch.is_empty() && self.shared.is_full.load(Ordering::Relaxed) {
            let mut state = self.shared.lock();
            if state.board.as_ref().is_some_and(|board| board.should_park(self.segment)) {
                while let Some(part) = run.give_any() {
                    self.give(&mut state, part, beyond);
                }
            }
        }
    }

    fn give(&self, state: &mut State, part: Part, beyond: &mut u64) {
        if let Some(board) = &mut state.board {
            board.give(self.segment, part);
            *beyond = board.beyond(self.segment);
        }
        state.note_wanted(self.shared);
    }

    fn tell(&mut self, run: &mut Run<'_>) {
        if !self.batch.is_empty() {
            let batch = std::mem::replace(&mut self.batch, Vec::with_capacity(BATCH));
            let mut state = self.shared.lock();
            let used: Option<Vec<Used>> = state.used.get_mut(self.worker).map(std::mem::take);
            let mut is_next = false;
            if let Some(board) = &mut state.board {
                is_next = board.add(self.segment, batch);
                self.shared.is_full.store(board.is_full(), Ordering::Relaxed);
            }
            if is_next {
                self.shared.wake_teller(state);
            } else {
                drop(state);
            }
            used.into_iter().flatten().flat_map(|used| used.0).for_each(|path| run.give_back(path));
        }
        self.since = Instant::now();
    }
}
