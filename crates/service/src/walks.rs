//! Random walks for arms of an entry's own code that no path takes.
//!
//! Paths have inputs within bounds: short arrays, new objects. A walk follows random inputs beyond them
//! ([`evergreen_explore::Explorer::walk`]). It proves nothing and excludes nothing, so it changes no claim
//! about an exploration: all that comes of it is a test for an arm that would have none. Walks begin when
//! everything else is explored, or after a second, since an exploration may be ended from outside; their
//! tests come last in both cases. Which walks are kept depends on walks alone, so it is the same in each run
//! that nothing ends early.

use crate::Frontend;
use crate::frontend::FoundOf;
use crate::run::Run;
use crate::{Language, PathEnd};
use evergreen_explore::End;
use std::collections::{HashSet, VecDeque};
use std::time::{Duration, Instant};

/// How long an exploration goes on before walks begin.
const BEGIN: Duration = Duration::from_secs(1);
/// The longest that all walks of an entry may take; most end within a second.
const LONGEST: Duration = Duration::from_secs(3);
/// Instructions of one walk.
const OF_ONE: u64 = 1 << 20;
/// Walks that find nothing new, one after the other, before there are no more.
const FRUITLESS: u32 = 500;

/// The walks of an entry.
pub(crate) struct Walks<L: Language> {
    /// So many at most.
    most: u32,
    /// All arms of the entry's own code.
    arms: HashSet<u64>,
    /// Those that paths take.
    taken: HashSet<u64>,
    begun: Instant,
    are_done: bool,
    kept: VecDeque<(Box<PathEnd<L>>, Vec<u64>)>,
}

impl<L: Language> Walks<L> {
    pub(crate) fn new(most: u32, arms: Vec<u64>) -> Walks<L> {
        Walks {
            most,
            arms: arms.into_iter().collect(),
            taken: HashSet::new(),
            begun: Instant::now(),
            are_done: false,
            kept: VecDeque::new(),
        }
    }

    /// Whether it is time for them, while paths are still open.
    pub(crate) fn are_due(&self) -> bool {
        !self.are_done && self.begun.elapsed() >= BEGIN
    }

    pub(crate) fn take(&mut self, arms: Vec<u64>) {
        self.taken.extend(arms);
    }

    fn covers_all(&self, walked: &HashSet<u64>) -> bool {
        self.arms.iter().all(|arm| self.taken.contains(arm) || walked.contains(arm))
    }

    /// The next walk that takes an arm which nothing has taken.
    pub(crate) fn next(&mut self) -> Option<Box<PathEnd<L>>> {
        while let Some((path, arms)) = self.kept.pop_front() {
            let before = self.taken.len();
            self.taken.extend(arms);
            if self.taken.len() > before {
                return Some(path);
            }
        }
        None
    }
}

impl<F: Frontend> Run<'_, F> {
    /// Walks, if that was not done yet.
    pub(crate) fn walk(&mut self) {
        let Some(mut walks) = self.walks.take() else { return };
        let are_new = !std::mem::replace(&mut walks.are_done, true);
        if are_new && !walks.covers_all(&HashSet::new()) {
            let counts = self.tally.machine.clone();
            self.exploration.front.count(&mut self.tally.machine);
            let kept = std::mem::replace(&mut self.tally.machine, counts);
            self.exploration.front.widen();
            self.walk_on(&mut walks);
            self.exploration.front.narrow();
            self.exploration.front.restore_counts(&kept);
        }
        self.walks = Some(walks);
    }

    fn walk_on(&mut self, walks: &mut Walks<F::Language>) {
        let mut walked = HashSet::new();
        let (begun, mut fruitless) = (Instant::now(), 0);
        let entry = self.entry().clone();
        for number in 0..walks.most {
            let is_over = fruitless >= FRUITLESS || begun.elapsed() > LONGEST || self.explorer.must_end();
            if is_over || walks.covers_all(&walked) {
                return;
            }
            fruitless += 1;
            let front = &mut self.exploration.front;
            let walk = self.explorer.walk(front.machine(), &mut self.exploration.oracle, number, OF_ONE);
            let Some(found) = walk.filter(|found| is_path(front, found)) else { continue };
            let arms = front.arms_of_walk(&entry, &found);
            // What paths have taken so far depends on when this is.
            if arms.iter().all(|arm| walked.contains(arm)) {
                continue;
            }
            fruitless = 0;
            walked.extend(arms.iter().copied());
            if arms.iter().any(|arm| !walks.taken.contains(arm)) {
                walks.kept.push_back((self.described_walk(found), arms));
            }
        }
    }
}

fn is_path<F: Frontend>(front: &F, found: &FoundOf<F>) -> bool {
    matches!(&found.end, End::Outcome(outcome) if front.is_path(outcome)) && !front.is_partial(&found.state)
}
