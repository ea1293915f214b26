//! The reporting thread: takes the results of all workers in the order of paths, decides what depends on the
//! order, and explores while there is nothing to report.
//!
//! It is the worker on the thread that asks for paths. What it finds at the front it reports at once; what it
//! finds elsewhere waits, like the results of the other workers, which raise a flag when they have handed
//! over what is next.

use super::batch::{Batch, Common, Ended, Unpacking};
use super::worker::{Hand, Place, Step, caught};
use super::{Counted, Finished, Job, Shared};
use crate::run::{ReadyEnd, SHRUNK_OF_A_KIND};
use crate::{Cases, Frontend, Language, PathEnd, Tally};
use evergreen_explore::{Bound, Summary};
use std::cell::Cell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

/// Between two looks at progress.
const TICK: Duration = Duration::from_millis(100);

type Progress = Box<dyn FnMut(&Summary)>;

/// The paths of a method that several workers explore.
pub struct Together<'w, F: Frontend> {
    shared: Arc<Shared<F::Language>>,
    counted: &'w mut Counted,
    job: Arc<Job<F::Language>>,
    /// What this thread explores; `None` if it cannot continue.
    hand: Option<Hand<'w, F>>,
    common: Option<Common<F::Language>>,
    /// Whether its segment is the first and all that it has kept was reported.
    is_first: bool,
    batches: VecDeque<Batch<F::Language>>,
    /// The batch that is being reported.
    unpacking: Unpacking<F::Language>,
    /// Whether this thread has found the last path at the front; and a consumed path.
    is_own: bool,
    spare: Option<Box<PathEnd<F::Language>>>,
    tally: Tally<F::Language>,
    /// Ends that count for the bound on paths.
    outcomes: u64,
    /// What was open when that bound was reached.
    cut: Option<u64>,
    started: Instant,
    progress: Option<Progress>,
    /// Whether progress is due.
    ticks: Rc<Cell<bool>>,
}

/// What [`Together::more`] came to.
enum More<L: Language> {
    /// An end that is next.
    Ended(Ended<L>),
    /// Perhaps something.
    Perhaps,
    /// Nothing is left.
    Nothing,
}

impl<'w, F: Frontend> Together<'w, F> {
    pub(super) fn new(
        shared: Arc<Shared<F::Language>>,
        counted: &'w mut Counted,
        job: Arc<Job<F::Language>>,
        ticks: Rc<Cell<bool>>,
    ) -> Together<'w, F> {
        Together {
            shared,
            counted,
            job,
            hand: None,
            common: None,
            is_first: false,
            batches: VecDeque::new(),
            unpacking: Unpacking::default(),
            is_own: false,
            spare: None,
            tally: Tally::default(),
            outcomes: 0,
            cut: None,
            started: Instant::now(),
            progress: None,
            ticks,
        }
    }

    /// Has this thread explore, too. It begins at the front, where it reports directly; other workers get
    /// what it gives away.
    pub(super) fn exploring(mut self, mut hand: Hand<'w, F>) -> Together<'w, F> {
        self.common = Some(hand.common.clone());
        let begun = caught(|| hand.start_root());
        self.is_first = hand.segment().is_some();
        self.hand = Some(hand);
        if let Err(why) = begun {
            self.give_up(why);
        }
        self
    }

    pub(super) fn on_progress(mut self, report: impl FnMut(&Summary) + 'static) -> Together<'w, F> {
        self.progress = Some(Box::new(report));
        self
    }

    /// The next path in order.
    pub fn next_path(&mut self) -> Option<Box<PathEnd<F::Language>>> {
        while self.cut.is_none() {
            self.is_own = false;
            let common = self.common.as_ref();
            let ended = match common.and_then(|common| self.unpacking.next(&mut self.spare, common)) {
                Some(ended) => ended,
                None => match self.more() {
                    More::Ended(ended) => ended,
                    More::Perhaps => continue,
                    More::Nothing => return None,
                },
            };
            let counts = ended.path.as_ref().is_none_or(|ready| ready.is_outcome);
            self.outcomes += u64::from(counts);
            if self.job.options.bounds.paths.is_some_and(|most| self.outcomes >= most) {
                self.cut = Some(ended.open);
                self.stop();
            }
            if let Some(ready) = ended.path {
                return Some(self.report(ready));
            }
        }
        None
    }

    /// Takes the last path back: its memory is used for others.
    pub fn give_back(&mut self, path: Box<PathEnd<F::Language>>) {
        match &mut self.hand {
            Some(hand) if self.is_own => hand.run.give_back(path),
            _ => self.spare = Some(path),
        }
    }

    /// Another batch, or a step of this thread's own exploration.
    fn more(&mut self) -> More<F::Language> {
        if let Some(batch) = self.batches.pop_front() {
            self.unpacking = Unpacking::from(batch);
            // Other workers may be waiting for a part.
            if let Some(hand) = &mut self.hand {
                hand.answer();
            }
            return More::Perhaps;
        }
        if !self.is_first && self.shared.ready.load(Ordering::Relaxed) {
            self.fetch();
            return More::Perhaps;
        }
        if self.ticks.take() {
            self.report_progress();
        }
        let Some(hand) = self.hand.as_mut().filter(|hand| hand.segment().is_some()) else {
            return self.wait();
        };
        let cases = if self.is_first { Cases::Now } else { Cases::Later };
        match caught(|| Ok(hand.advance(cases))) {
            Ok(Step::Ended(ended)) if self.is_first => {
                hand.answer();
                self.is_own = true;
                return More::Ended(ended);
            }
            Ok(Step::Ended(ended)) => hand.keep(ended),
            Ok(Step::Open) => {}
            Ok(Step::Over) => self.is_first = false,
            Err(why) => self.give_up(why),
        }
        More::Perhaps
    }

    /// This thread cannot explore any more.
    fn give_up(&mut self, why: String) {
        self.hand = None;
        self.is_first = false;
        self.shared.fail(why);
    }

    /// Takes what is next in the order of paths; returns whether there was something.
    fn fetch(&mut self) -> bool {
        let shared = self.shared.clone();
        let mut state = shared.lock();
        shared.ready.store(false, Ordering::Relaxed);
        let a_worker_waits = state.waiting > 0;
        let Some(board) = &mut state.board else { return false };
        self.batches.append(&mut board.next());
        shared.is_full.store(board.is_full(), Ordering::Relaxed);
        // There may be room again, or another segment is the first now.
        let has_work = a_worker_waits && board.offered() > 0;
        let first = board.first();
        drop(state);
        if has_work {
            shared.work.notify_all();
        }
        if let Some(hand) = self.hand.as_mut().filter(|hand| hand.segment().is_some()) {
            self.is_first = hand.segment() == first;
            if self.is_first {
                self.batches.extend(hand.take_kept());
            }
        }
        !self.batches.is_empty()
    }

    /// Waits for results that are next, or for something to explore.
    fn wait(&mut self) -> More<F::Language> {
        let shared = self.shared.clone();
        loop {
            if self.fetch() {
                return More::Perhaps;
            }
            let mut state = shared.lock();
            let is_stopped = shared.stop.load(Ordering::Relaxed) || self.hand.is_none();
            let have_others_left = state.have_others_left();
            let Some(board) = &mut state.board else { return More::Nothing };
            if !is_stopped && let Some((segment, part)) = board.take() {
                state.note_wanted(&shared);
                drop(state);
                let Some(hand) = &mut self.hand else { return More::Nothing };
                match caught(|| hand.start(segment, &part)) {
                    // Also if it is the first.
                    Ok(()) => shared.ready.store(true, Ordering::Relaxed),
                    Err(why) => self.give_up(why),
                }
                return More::Perhaps;
            }
            if have_others_left && is_stopped {
                // Workers that had to stop have left parts that none will take.
                let abandoned = board.abandon() as u64;
                state.abandoned += abandoned;
                drop(state);
                return if self.fetch() { More::Perhaps } else { More::Nothing };
            }
            if board.is_done() {
                return More::Nothing;
            }
            if shared.ready.load(Ordering::Relaxed) {
                continue;
            }
            state.reporter_sleeps = true;
            state.waiting += usize::from(!is_stopped);
            state.note_wanted(&shared);
            state = shared.reported.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner).0;
            state.reporter_sleeps = false;
            state.waiting -= usize::from(!is_stopped);
            state.note_wanted(&shared);
            drop(state);
            self.report_progress();
        }
    }

    fn report_progress(&mut self) {
        if let Some(report) = &mut self.progress {
            let mut sum = Summary::default();
            let all = self.job.progress.lock().unwrap_or_else(PoisonError::into_inner);
            all.iter().for_each(|one| sum.add(one));
            drop(all);
            report(&sum);
        }
    }

    /// Decides what the order decides: the number of a path, and the inputs with which it is reported.
    fn report(&mut self, ready: ReadyEnd<F::Language>) -> Box<PathEnd<F::Language>> {
        let ReadyEnd { mut end, smaller, kind, .. } = ready;
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
        if path.how.is_outcome() {
            self.tally.paths += 1;
        }
        path.number = self.tally.paths;
        path
    }

    /// No more paths are needed.
    fn stop(&self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        drop(self.shared.lock());
        self.shared.work.notify_all();
    }

    /// Leaves the job, and waits until all other workers have left it.
    fn leave(&mut self) {
        self.stop();
        let left = self.hand.take().map(|hand| caught(|| Ok(hand.leave())));
        let mut state = self.shared.lock();
        match left {
            Some(Ok(left)) => state.leave(&self.shared, left),
            Some(Err(why)) => {
                state.failed.get_or_insert(why);
            }
            None => {}
        }
        while !state.have_others_left() {
            state = self.shared.reported.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits until all workers have left the job, and adds up their summaries.
    pub(super) fn finish(mut self) -> Finished<F::Language> {
        self.leave();
        let shared = self.shared.clone();
        let mut state = shared.lock();
        let mut done = Finished { tally: std::mem::take(&mut self.tally), ..Finished::default() };
        let mut arms: BTreeMap<Place, u64> = BTreeMap::new();
        for left in &mut state.left {
            done.summary.add(&left.summary);
            done.tally.add(&left.tally);
            for (place, times) in left.coverage.drain(..) {
                *arms.entry(place).or_insert(0) += times;
            }
            done.retired.append(&mut left.retired);
            let counted = (left.stats.clone(), left.solver_starts, left.trouble.clone());
            self.counted.insert(left.worker, counted);
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

impl<F: Frontend> Drop for Together<'_, F> {
    /// The next job must not begin while a worker is still at this one.
    fn drop(&mut self) {
        self.leave();
    }
}
