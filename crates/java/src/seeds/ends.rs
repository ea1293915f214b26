//! What becomes of old tests at the ends of paths.

use super::super::BranchOracle;
use super::super::complete::follow;
use super::super::ending::{How, PathEnd, Subject, inputs};
use super::compare::Said;
use super::{Retirement, SeedSet, TestGuide};
use evergreen_explore::{End, Found, Retired, Trail};
use evergreen_jvm::{Ending, Jvm, State};
use evergreen_symbolic::Assignment;
use std::cell::RefCell;
use std::rc::Rc;

/// The old tests of an exploration under way.
pub(in super::super) struct Seeding {
    pub(in super::super) set: Rc<RefCell<SeedSet>>,
    /// Tests that are not kept, beyond those that the explorer knows of.
    pub(in super::super) retired: Vec<(usize, Retirement)>,
}

/// What a test made of a path's input.
pub(in super::super) enum Followed {
    /// It is whole.
    Whole(Box<State>),
    /// The test fits as far as the path has read it, and leaves something open.
    Open,
    /// No test fits.
    Nothing,
}

/// A path that has ended: the arms that it took, the state that it ended in, and the one that has its whole input.
pub(in super::super) struct Ended<'e> {
    pub(in super::super) trail: Trail,
    pub(in super::super) read: &'e State,
    pub(in super::super) input: &'e State,
}

impl Seeding {
    /// The tests that take a path that has ended, as far as the path has read them; the path gets the values of the first. Others are retired.
    pub(in super::super) fn arrive(
        &mut self,
        jvm: &Jvm,
        subject: &Subject<'_>,
        found: &mut Found<Jvm, Assignment>,
    ) -> Vec<usize> {
        let End::Outcome(outcome) = &found.end else { return Vec::new() };
        let why = match &outcome.ending {
            Ending::Assumed => Some("an assumption of the driver does not hold".to_string()),
            Ending::Invalid => Some("its objects are not valid".to_string()),
            Ending::Unsupported { what, .. } => Some(format!("its path cannot be followed: {what}")),
            Ending::Bound(bound) => {
                let cut = Retirement::Cut(How::bound_name(*bound));
                self.retired.extend(found.seeds.iter().map(|number| (*number, cut.clone())));
                return Vec::new();
            }
            Ending::Returned(_) | Ending::Threw { .. } | Ending::Exited(_) => None,
        };
        self.set.borrow_mut().own_first(jvm, &found.trail, &mut found.seeds);
        let set = self.set.borrow();
        let mut kept: Vec<usize> = Vec::new();
        for &number in &found.seeds {
            if let Some(why) = &why {
                self.retired.push((number, Retirement::NoTest(why.clone())));
                continue;
            }
            let Some(model) = set.model(number) else { continue };
            let told = inputs(jvm, subject, &outcome.state, &model);
            let objects = jvm.input_objects(&found.state, &model);
            match set.arrived(number, &found.state, &told, &objects) {
                Err(why) => self.retired.push((number, Retirement::Unfit(why))),
                Ok(_) => {
                    if kept.is_empty() {
                        found.model = model;
                    }
                    kept.push(number);
                }
            }
        }
        kept
    }

    /// The input of a path made whole by the first of these tests that is valid; those that are not are retired.
    ///
    /// A test whose objects are made by calls says nothing of some fields that the path has not read. If it cannot be checked for
    /// this, somebody else has to find values for them: [`Seeding::fill`].
    pub(in super::super) fn complete(
        &mut self,
        jvm: &mut Jvm,
        oracle: &mut BranchOracle,
        found: &mut Found<Jvm, Assignment>,
        kept: &mut Vec<usize>,
    ) -> Followed {
        let mut guide = TestGuide(self.set.clone());
        while let Some(&first) = kept.first() {
            let model = self.set.borrow().model(first);
            found.model = model.unwrap_or_else(|| found.model.clone());
            guide.leaves_open(first);
            let met = self.set.borrow().met(first);
            match follow(jvm, oracle, found, &mut guide, first) {
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

    /// The same with the values of a valid input where the first test says nothing; without one, and if that does not help, no test
    /// is kept.
    pub(in super::super) fn fill(
        &mut self,
        jvm: &mut Jvm,
        oracle: &mut BranchOracle,
        found: &mut Found<Jvm, Assignment>,
        kept: &mut Vec<usize>,
        valid: Option<(&State, &Assignment)>,
    ) -> Option<Box<State>> {
        let mut why = "its objects are not valid any more".to_string();
        if let (Some(&first), Some((state, model))) = (kept.first(), valid) {
            let before = found.model.clone();
            self.set.borrow_mut().fill(jvm, first, state, model);
            found.model = self.set.borrow().model(first).unwrap_or_else(|| before.clone());
            match follow(jvm, oracle, found, &mut TestGuide(self.set.clone()), first) {
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

    /// Tells a path's decisions and the tests that take it. Its test is the first of them as it was, unless the path has read something of
    /// which that says nothing.
    pub(in super::super) fn tell(&mut self, jvm: &Jvm, of: &Ended<'_>, kept: Vec<usize>, told: &mut PathEnd) {
        let mut set = self.set.borrow_mut();
        told.decisions = set.decisions().along(jvm, &of.trail);
        if let Some(&first) = kept.first() {
            let whole = set.arrived(first, of.input, &told.inputs, &told.objects);
            let compared = whole.and_then(|_| set.arrived(first, of.read, &told.inputs, &told.read));
            let why = match (&mut told.case, set.case(first), compared) {
                (Some(case), Some(old), Ok(said)) => {
                    case.build.clone_from(&old.build);
                    if said == Said::All {
                        case.objects.clone_from(&old.objects);
                        case.receiver.clone_from(&old.receiver);
                        case.arguments.clone_from(&old.arguments);
                    }
                    None
                }
                (_, _, Err(why)) => Some(why),
                _ => Some("its path has no test".to_string()),
            };
            if let Some(why) = why {
                self.retired.extend(kept.iter().map(|number| (*number, Retirement::NoTest(why.clone()))));
                return;
            }
            let same = |number: &usize| (*number, Retirement::SamePath(first));
            self.retired.extend(kept[1..].iter().map(same));
            told.seeds = kept;
        }
    }

    /// Has a test know the values that it had for what it met elsewhere.
    pub(in super::super) fn remember(&self, number: usize, model: &Assignment) {
        self.set.borrow_mut().remember(number, model);
    }

    /// All tests that are not kept, by their numbers.
    pub(in super::super) fn all_retired(&self, explorer: &[(usize, Retired)]) -> Vec<(usize, Retirement)> {
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
