//! What one worker does: take a part, explore it, keep its ends for the reporting thread, give away what
//! others ask for.

use super::batch::{Batch, Common, Ended};
use super::board::{Board, SegmentId};
use super::{Job, Shared, State, begin};
use crate::part::{Advanced, Part};
use crate::run::{Kind, SHRUNK_OF_A_KIND, Small};
use crate::{Cases, Entry, Exploration, Frontend, Language, Retirement, Run, Tally};
use evergreen::Stats;
use evergreen_deciding::{BranchOracle, Trouble};
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
/// Ends that are handed over at once.
const BATCH: usize = 128;
/// The longest that an end is kept for a batch.
const PATIENCE: Duration = Duration::from_millis(20);

/// The summary of a worker that leaves a job.
pub(super) struct Left<L: Language> {
    pub(super) worker: usize,
    /// Why the job could not begin.
    pub(super) refused: Option<String>,
    pub(super) summary: Summary,
    pub(super) tally: Tally<L>,
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

/// The life of a worker with a thread of its own.
pub(super) fn work<F: Frontend>(
    shared: &Arc<Shared<F::Language>>,
    make: &(dyn Fn() -> Result<Exploration<F>, String> + Sync),
    number: usize,
) {
    let lived = caught(|| live(shared, make, number));
    // Threads that count on this worker must not wait for it.
    shared.lock().gone.push(number);
    if let Err(why) = lived {
        shared.fail(why);
    }
    shared.reported.notify_all();
}

/// The result of a closure; a panic is an error.
pub(super) fn caught<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let done = catch_unwind(AssertUnwindSafe(work));
    done.unwrap_or_else(|panic| Err(format!("a worker panicked: {}", said(&*panic))))
}

fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "for no reason".into())
}

fn live<F: Frontend>(
    shared: &Arc<Shared<F::Language>>,
    make: &(dyn Fn() -> Result<Exploration<F>, String> + Sync),
    number: usize,
) -> Result<(), String> {
    let mut exploration = make()?;
    let mut last = 0;
    while let Some(job) = next_job(shared, &mut last) {
        let left = explore(shared, &mut exploration, &job, number)?;
        let mut state = shared.lock();
        state.leave(shared, left);
        drop(state);
        shared.reported.notify_all();
    }
    Ok(())
}

/// Waits for a job that comes after the last one.
fn next_job<L: Language>(shared: &Shared<L>, last: &mut u64) -> Option<Arc<Job<L>>> {
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
fn explore<F: Frontend>(
    shared: &Arc<Shared<F::Language>>,
    exploration: &mut Exploration<F>,
    job: &Arc<Job<F::Language>>,
    number: usize,
) -> Result<Left<F::Language>, String> {
    let mut hand = match Hand::begin(shared, exploration, job, number, || {}) {
        Ok(hand) => hand,
        Err(left) => return Ok(*left),
    };
    while let Some((segment, part)) = take(shared) {
        hand.start(segment, &part)?;
        loop {
            match hand.advance(Cases::Later) {
                Step::Ended(ended) => hand.keep(ended),
                Step::Open => {}
                Step::Over => break,
            }
        }
    }
    Ok(hand.leave())
}

impl<L: Language> Left<L> {
    fn of(oracle: &BranchOracle, worker: usize) -> Left<L> {
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
fn coverage<F: Frontend>(run: &Run<'_, F>) -> Vec<(Place, u64)> {
    let place = |(site, arm, times)| {
        let (unit, function, signature, instruction) = run.exploration.front.site_name(site)?;
        Some(((unit, function, signature, instruction, arm), times))
    };
    run.coverage().arms().into_iter().filter_map(place).collect()
}

/// Exceptions of which enough were reported with small inputs: no more of them need be made small.
fn enough<L: Language>(job: &Job<L>) -> BTreeMap<Kind, u32> {
    let counts = job.enough.lock().unwrap_or_else(PoisonError::into_inner);
    let enough = counts.iter().filter(|(_, count)| **count >= SHRUNK_OF_A_KIND);
    enough.map(|(kind, count)| (kind.clone(), *count)).collect()
}

/// A part to work on; waits for one. None if nothing is left.
fn take<L: Language>(shared: &Shared<L>) -> Option<(SegmentId, Part)> {
    let mut state = shared.lock();
    loop {
        if shared.stop.load(Ordering::Relaxed) {
            return None;
        }
        let Some(board) = state.board.as_mut() else {
            state = shared.work.wait(state).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        if let Some(found) = board.take() {
            state.note_wanted(shared);
            return Some(found);
        }
        if board.is_over() {
            return None;
        }
        state.waiting += 1;
        state.note_wanted(shared);
        state = shared.work.wait(state).unwrap_or_else(PoisonError::into_inner);
        state.waiting -= 1;
        state.note_wanted(shared);
    }
}

/// What [`Hand::advance`] came to.
pub(super) enum Step<L: Language> {
    /// Something ended; it belongs behind what was kept.
    Ended(Ended<L>),
    /// Nothing yet.
    Open,
    /// The segment has ended.
    Over,
}

/// A worker at a job.
pub(super) struct Hand<'e, F: Frontend> {
    shared: Arc<Shared<F::Language>>,
    job: Arc<Job<F::Language>>,
    number: usize,
    pub(super) run: Run<'e, F>,
    pub(super) common: Common<F::Language>,
    /// All there is to explore.
    root: Option<Part>,
    work: Option<Work<F::Language>>,
}

/// The segment that a worker is at.
struct Work<L: Language> {
    segment: SegmentId,
    batch: Batch<L>,
    since: Instant,
    /// Ends of this segment that count as paths.
    found: u64,
    /// Subtrees that are open behind it.
    beyond: u64,
}

impl<'e, F: Frontend> Hand<'e, F> {
    /// Begins with a job. `tick` is called when progress is due.
    pub(super) fn begin(
        shared: &Arc<Shared<F::Language>>,
        exploration: &'e mut Exploration<F>,
        job: &Arc<Job<F::Language>>,
        number: usize,
        mut tick: impl FnMut() + 'static,
    ) -> Result<Hand<'e, F>, Box<Left<F::Language>>> {
        // The reporting thread counts paths: what a worker finds may come after paths that have not been
        // found yet.
        let mut options: Options = job.options.clone();
        options.bounds.paths = None;
        let shown = job.clone();
        let progress = move |summary: &Summary| {
            let mut all = shown.progress.lock().unwrap_or_else(PoisonError::into_inner);
            all[number].clone_from(summary);
            drop(all);
            tick();
        };
        // Looked at before, for the run has the exploration then.
        let idle = Left::of(exploration.oracle(), number);
        let begun = begin(exploration, &job.entry, &job.inputs, options, job.old.clone(), job.telling);
        let mut run = match begun {
            Ok(run) => run.on_progress(progress),
            Err(e) => return Err(Box::new(Left { refused: Some(e.to_string()), ..idle })),
        };
        // All of them find the same; there is none if the range has no paths.
        let root = run.give_any();
        let common = Common { target: run.target().clone(), parameters: job.entry.parameter_names().len() };
        Ok(Hand { shared: shared.clone(), job: job.clone(), number, run, common, root, work: None })
    }

    /// Begins with the whole tree, so that other workers can get parts of it.
    pub(super) fn start_root(&mut self) -> Result<(), String> {
        let mut board = Board::new(self.root.take(), self.job.room);
        let taken = board.take();
        self.shared.lock().board = Some(board);
        self.shared.work.notify_all();
        taken.map_or(Ok(()), |(segment, part)| self.start(segment, &part))
    }

    /// Begins with a segment.
    pub(super) fn start(&mut self, segment: SegmentId, part: &Part) -> Result<(), String> {
        self.run.resume(part).map_err(|e| {
            format!("a part of {} cannot be resumed (please report this): {e}\n{part}", self.job.entry)
        })?;
        self.run.seen = enough(&self.job);
        let beyond = self.shared.lock().board.as_ref().map_or(0, |board| board.beyond(segment));
        let (batch, since) = (Batch::default(), Instant::now());
        self.work = Some(Work { segment, batch, since, found: 0, beyond });
        Ok(())
    }

    /// The segment that it is at.
    pub(super) fn segment(&self) -> Option<SegmentId> {
        self.work.as_ref().map(|work| work.segment)
    }

    /// Explores until something ends or the next branch is decided. Tests are made now, or later by the
    /// reporting thread from what was kept.
    pub(super) fn advance(&mut self, cases: Cases) -> Step<F::Language> {
        self.run.cases = cases;
        let Some(work) = &mut self.work else { return Step::Over };
        // The reporting thread will have all the paths that it wants before this segment is over.
        let most = self.job.options.bounds.paths;
        let path = if most.is_some_and(|most| work.found >= most) {
            Advanced::Done
        } else {
            self.run.advance(Small::Beside)
        };
        let path = match path {
            Advanced::Path(ready) => Some(ready),
            Advanced::NoPath => None,
            Advanced::Open => {
                self.answer();
                return Step::Open;
            }
            Advanced::Done => {
                self.end();
                return Step::Over;
            }
        };
        work.found += u64::from(path.as_ref().is_none_or(|ready| ready.is_outcome));
        Step::Ended(Ended { path, open: self.run.open_states() as u64 + work.beyond })
    }

    /// Keeps an end for the reporting thread.
    pub(super) fn keep(&mut self, ended: Ended<F::Language>) {
        if let Some(work) = &mut self.work {
            if let Some(path) = work.batch.add(ended, &self.common) {
                self.run.give_back(path);
            }
            if work.batch.len() >= BATCH || work.since.elapsed() > PATIENCE {
                self.hand_over();
            }
        }
        self.answer();
    }

    /// What it has kept and not handed over yet.
    pub(super) fn take_kept(&mut self) -> Option<Batch<F::Language>> {
        let work = self.work.as_mut()?;
        let next = Batch::like(&work.batch);
        Some(std::mem::replace(&mut work.batch, next)).filter(|batch| !batch.is_empty())
    }

    /// Hands over what it has kept.
    fn hand_over(&mut self) {
        if let (Some(segment), Some(batch)) = (self.segment(), self.take_kept()) {
            let mut state = self.shared.lock();
            let mut is_next = false;
            if let Some(board) = &mut state.board {
                let weight = batch.weight();
                is_next = board.add(segment, batch, weight);
                self.shared.is_full.store(board.is_full(), Ordering::Relaxed);
            }
            if is_next {
                self.shared.ready.store(true, Ordering::Relaxed);
                self.shared.wake_reporter(state);
            }
        }
        if let Some(work) = &mut self.work {
            work.since = Instant::now();
        }
    }

    /// Ends its segment.
    fn end(&mut self) {
        while self.run.give_any().is_some() {}
        self.hand_over();
        let Some(work) = self.work.take() else { return };
        let cut = self.run.summary().cut;
        let ended =
            [Bound::Time, Bound::Memory, Bound::Interrupt].into_iter().find(|bound| cut.by(*bound) > 0);
        let mut state = self.shared.lock();
        if ended.is_some() || self.run.oracle().trouble().error.is_some() {
            state.cut = state.cut.or(ended);
            self.shared.stop.store(true, Ordering::Relaxed);
            self.shared.work.notify_all();
        }
        if let Some(board) = &mut state.board {
            if board.end(work.segment) {
                self.shared.ready.store(true, Ordering::Relaxed);
            }
            if board.is_over() {
                self.shared.work.notify_all();
            }
        }
        self.shared.wake_reporter(state);
    }

    /// Gives away what others wait for; stops where no more is needed; parks the segment if it is too far
    /// ahead.
    pub(super) fn answer(&mut self) {
        if self.shared.stop.load(Ordering::Relaxed) {
            self.drop_open();
            return;
        }
        let Some(work) = &mut self.work else { return };
        let run = &mut self.run;
        if self.shared.wanted.load(Ordering::Relaxed) > 0 && run.open_states() > 1 {
            let mut state = self.shared.lock();
            if state.note_wanted(&self.shared) > 0 {
                // What is given away last comes first. If many results wait it should be small, so that those
                // after it do not wait long.
                let is_crowded = state.board.as_ref().is_some_and(Board::is_crowded);
                let kept = if is_crowded { run.open_states().div_ceil(2) } else { run.open_states() - 1 };
                while run.open_states() > kept
                    && let Some(part) = run.give()
                {
                    work.give(&self.shared, &mut state, part);
                }
                self.shared.wake_reporter(state);
                self.shared.work.notify_one();
            }
        }
        // Looked at once for each batch: it takes the lock, and a walk over segments.
        if work.batch.is_empty() && self.shared.is_full.load(Ordering::Relaxed) {
            let mut state = self.shared.lock();
            if state.board.as_ref().is_some_and(|board| board.should_park(work.segment)) {
                while let Some(part) = run.give_any() {
                    work.give(&self.shared, &mut state, part);
                }
            }
        }
    }

    /// Drops what is open.
    fn drop_open(&mut self) {
        let dropped = std::iter::from_fn(|| self.run.give_any()).count() as u64;
        self.shared.lock().abandoned += dropped;
    }

    /// Leaves the job.
    pub(super) fn leave(mut self) -> Left<F::Language> {
        if self.work.is_some() {
            self.drop_open();
            self.end();
        }
        let run = &self.run;
        Left {
            summary: run.summary(),
            tally: run.tally().clone(),
            coverage: coverage(run),
            retired: run.retired(),
            ..Left::of(run.oracle(), self.number)
        }
    }
}

impl<L: Language> Work<L> {
    fn give(&mut self, shared: &Shared<L>, state: &mut State<L>, part: Part) {
        if let Some(board) = &mut state.board {
            board.give(self.segment, part);
            self.beyond = board.beyond(self.segment);
        }
        state.note_wanted(shared);
    }
}
