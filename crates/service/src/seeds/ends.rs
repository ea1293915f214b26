//! What becomes of old tests at the ends of paths.

use super::{Retirement, SeedSet, TestGuide};
use crate::PathEnd;
use crate::frontend::{FoundOf, Frontend, Sorted, StateOf, Subject};
use evergreen_deciding::BranchOracle;
use evergreen_explore::{End, Retired, Trail};
use evergreen_symbolic::Assignment;
use std::cell::RefCell;
use std::rc::Rc;

/// The old tests of an exploration under way.
pub(crate) struct Seeding<F: Frontend> {
    pub(crate) set: Rc<RefCell<SeedSet<F>>>,
    /// Tests that are not kept, beyond those that the explorer knows of.
    pub(crate) retired: Vec<(usize, Retirement)>,
}

/// What a test made of a path's input.
pub enum Followed<S> {
    /// It is whole.
    Whole(Box<S>),
    /// The test fits as far as the path has read it, and leaves something open.
    Open,
    /// No test fits.
    Nothing,
}

/// A path that has ended: the arms that it took, the state that it ended in, and the one that has its whole
/// input.
pub(crate) struct Ended<'e, S> {
    pub(crate) trail: Trail,
    pub(crate) read: &'e S,
    pub(crate) input: &'e S,
}

impl<F: Frontend> Seeding<F> {
    /// The tests that take a path that has ended, as far as the path has read them; the path gets the values
    /// of the first. Others are retired.
    pub(crate) fn arrive(
        &mut self,
        front: &mut F,
        subject: &Subject<'_, F::Language>,
        found: &mut FoundOf<F>,
    ) -> Vec<usize> {
        if found.seeds.is_empty() {
            return Vec::new();
        }
        let End::Outcome(outcome) = &found.end else { return Vec::new() };
        let why = match front.sort(outcome) {
            Sorted::Assumed => Some("an assumption of the driver does not hold".to_string()),
            Sorted::Refused => Some("a constructor or factory of its objects throws".to_string()),
            Sorted::Invalid => Some("its objects are not valid".to_string()),
            Sorted::Unsupported(what) => Some(format!("its path cannot be followed: {what}")),
            Sorted::Cut(bound) => {
                let cut = Retirement::Cut(bound);
                self.retired.extend(found.seeds.iter().map(|number| (*number, cut.clone())));
                return Vec::new();
            }
            Sorted::Ended | Sorted::Failed(..) => None,
        };
        self.set.borrow_mut().own_first(front.as_machine(), &found.trail, &mut found.seeds);
        let set = self.set.borrow();
        let mut kept: Vec<usize> = Vec::new();
        let mut first = None;
        for &number in &found.seeds {
            if let Some(why) = &why {
                self.retired.push((number, Retirement::NoTest(why.clone())));
                continue;
            }
            let (Some(model), Some(case)) = (set.model(number), set.case(number)) else { continue };
            match front.arrives(subject, case, found, &model) {
                Err(why) => self.retired.push((number, Retirement::Unfit(why))),
                Ok(()) => {
                    first.get_or_insert(model);
                    kept.push(number);
                }
            }
        }
        if let Some(model) = first {
            found.model = model;
        }
        kept
    }

    /// The input of a path made whole by the first of these tests that is valid; those that are not are
    /// retired.
    ///
    /// A test whose objects are made by calls says nothing of some fields that the path has not read. If it
    /// cannot be checked for this reason, values for them have to be found elsewhere: [`Seeding::fill`].
    pub(crate) fn complete(
        &mut self,
        front: &mut F,
        oracle: &mut BranchOracle,
        found: &mut FoundOf<F>,
        kept: &mut Vec<usize>,
    ) -> Followed<StateOf<F>> {
        let mut guide = TestGuide(self.set.clone());
        while let Some(&first) = kept.first() {
            let model = self.set.borrow().model(first);
            found.model = model.unwrap_or_else(|| found.model.clone());
            guide.leaves_open(first);
            let met = self.set.borrow().met(first);
            match front.follow(oracle, found, &mut guide, first) {
                Ok((state, model)) => {
                    found.model = model;
                    return Followed::Whole(state);
                }
                Err(_) if guide.leaves_open(first) => {
                    self.set.borrow_mut().forget(first, met);
                    return Followed::Open;
                }
                Err(why) => {
                    self.retired.push((first, Retirement::Unfit(why)));
                    kept.remove(0);
                }
            }
        }
        Followed::Nothing
    }

    /// The same with the values of a valid input where the first test says nothing; without such an input, or
    /// if that fails, no test is kept.
    pub(crate) fn fill(
        &mut self,
        front: &mut F,
        oracle: &mut BranchOracle,
        found: &mut FoundOf<F>,
        kept: &mut Vec<usize>,
        valid: Option<(&StateOf<F>, &Assignment)>,
    ) -> Option<Box<StateOf<F>>> {
        let mut why = "its objects are not valid any more".to_string();
        if let (Some(&first), Some((state, model))) = (kept.first(), valid) {
            let before = found.model.clone();
            self.set.borrow_mut().fill(front.machine(), first, state, model);
            found.model = self.set.borrow().model(first).unwrap_or_else(|| before.clone());
            match front.follow(oracle, found, &mut TestGuide(self.set.clone()), first) {
                Ok((state, model)) => {
                    found.model = model;
                    return Some(state);
                }
                Err(said) => why = said,
            }
            found.model = before;
        }
        self.retired.extend(kept.drain(..).map(|number| (number, Retirement::Unfit(why.clone()))));
        None
    }

    /// Reports a path's decisions and the tests that take it. Its test is the first of them as it was, unless
    /// the path has read something of which that test says nothing.
    pub(crate) fn report(
        &mut self,
        front: &F,
        of: &Ended<'_, StateOf<F>>,
        kept: Vec<usize>,
        path: &mut PathEnd<F::Language>,
    ) {
        let mut set = self.set.borrow_mut();
        path.decisions = set.along(front.as_machine(), &of.trail);
        let Some(&first) = kept.first() else { return };
        let compared = match set.case(first) {
            Some(old) => front.keep(old, of.read, of.input, path),
            None => Err("its path has no test".to_string()),
        };
        if let Err(why) = compared {
            self.retired.extend(kept.iter().map(|number| (*number, Retirement::NoTest(why.clone()))));
            return;
        }
        let same = |number: &usize| (*number, Retirement::SamePath(first));
        self.retired.extend(kept[1..].iter().map(same));
        path.seeds = kept;
    }

    /// Has a test know the values that it had for what it met elsewhere.
    pub(crate) fn remember(&self, number: usize, model: &Assignment) {
        self.set.borrow_mut().remember(number, model);
    }

    /// All tests that are not kept, by their numbers.
    pub(crate) fn all_retired(&self, explorer: &[(usize, Retired)]) -> Vec<(usize, Retirement)> {
        let by_explorer = explorer.iter().map(|(number, why)| {
            let why = match why {
                Retired::Cut(bound) => Retirement::Cut(bound.name()),
                Retired::OutOfRange => Retirement::OutOfRange,
                Retired::Unfit | Retired::Nowhere | Retired::Misfit(_) => Retirement::Unfit(why.to_string()),
            };
            (*number, why)
        });
        let mut all: Vec<_> = self.retired.iter().cloned().chain(by_explorer).collect();
        all.sort_by_key(|(number, _)| *number);
        all.dedup_by_key(|(number, _)| *number);
        all
    }
}
