//! What becomes of old tests at the ends of paths.

use super::super::ending::{PathEnd, Subject, inputs};
use super::{Retirement, SeedSet};
use evergreen_explore::{End, Found, Retired, Trail};
use evergreen_jvm::{Ending, Jvm};
use evergreen_symbolic::Assignment;
use std::cell::RefCell;
use std::rc::Rc;

/// The old tests of an exploration under way.
pub(in super::super) struct Seeding {
    pub(in super::super) set: Rc<RefCell<SeedSet>>,
    /// Tests that are not kept, beyond those that the explorer knows of.
    pub(in super::super) retired: Vec<(usize, Retirement)>,
}

impl Seeding {
    /// The tests that take a path that has ended; the path gets the values of the first. Others are retired.
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
                Ok(()) => {
                    match kept.first() {
                        Some(first) => self.retired.push((number, Retirement::SamePath(*first))),
                        None => found.model = model,
                    }
                    kept.push(number);
                }
            }
        }
        kept
    }

    /// Tells a path's decisions and the tests that take it.
    pub(in super::super) fn tell(&mut self, jvm: &Jvm, trail: &Trail, kept: Vec<usize>, told: &mut PathEnd) {
        let mut set = self.set.borrow_mut();
        told.decisions = set.decisions().along(jvm, trail);
        if let (Some(case), Some(old)) = (&mut told.case, kept.first().and_then(|first| set.case(*first))) {
            case.build.clone_from(&old.build);
        } else {
            let why = Retirement::NoTest("its path has no test".into());
            self.retired.extend(kept.first().map(|first| (*first, why)));
        }
        told.seeds = kept;
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
