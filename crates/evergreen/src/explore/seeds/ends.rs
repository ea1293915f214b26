//! What becomes of old tests at the ends of paths.

use super::super::BranchOracle;
use super::super::complete::follow;
use super::super::ending::{PathEnd, Subject, inputs};
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

/// A path that has ended: the arms that it took, and the state that has its whole input.
pub(in super::super) struct Ended<'e> {
    pub(in super::super) trail: Trail,
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
            Ending::Bound(_) => Some("a bound of the machine cut its path".to_string()),
            Ending::Returned(_) | Ending::Threw { .. } | Ending::Exited(_) => None,
        };
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
    pub(in super::super) fn complete(
        &mut self,
        jvm: &mut Jvm,
        oracle: &mut BranchOracle,
        found: &mut Found<Jvm, Assignment>,
        kept: &mut Vec<usize>,
    ) -> Option<Box<State>> {
        let mut guide = TestGuide(self.set.clone());
        while let Some(&first) = kept.first() {
            let model = self.set.borrow().model(first);
            found.model = model.unwrap_or_else(|| found.model.clone());
            match follow(jvm, oracle, found, &mut guide, first) {
                Ok((state, model)) => {
                    found.model = model;
                    return Some(state);
                }
                Err(why) => {
                    self.retired.push((first, Retirement::Unfit(why)));
                    kept.remove(0);
                }
            }
        }
        None
    }

    /// Tells a path's decisions and the tests that take it. Its test is the first of them as it was, unless the path has read something of
    /// which that says nothing.
    pub(in super::super) fn tell(&mut self, jvm: &Jvm, of: &Ended<'_>, kept: Vec<usize>, told: &mut PathEnd) {
        let mut set = self.set.borrow_mut();
        told.decisions = set.decisions().along(jvm, &of.trail);
        if let Some(&first) = kept.first() {
            let compared = set.arrived(first, of.input, &told.inputs, &told.objects);
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
