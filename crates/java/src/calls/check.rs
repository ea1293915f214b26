//! Whether calls that made the objects of a test once still do: the code that they run may have changed.

use super::{Attempt, Freedom, Search, roots, rows};
use evergreen_jvm::{Jvm, State};
use evergreen_replay::{Built, TestCase};
use std::collections::BTreeSet;

/// Whether the calls of a test case make all its objects, as they are now.
pub(crate) fn makes(jvm: &mut Jvm, base: &State, case: &TestCase) -> bool {
    let Some(build) = &case.build else { return false };
    let mut owned = BTreeSet::new();
    let roots = roots(case);
    let is_separate =
        |root: &usize| rows::reach(&case.objects, *root).iter().all(|object| owned.insert(*object));
    roots.iter().all(is_separate)
        && roots.len() == build.objects.len()
        && build
            .objects
            .iter()
            .all(|built| roots.contains(&built.object) && makes_one(jvm, base, case, built))
}

fn makes_one(jvm: &mut Jvm, base: &State, case: &TestCase, built: &Built) -> bool {
    let free = Freedom::new();
    let Some(mut search) = Search::new(jvm, base, &case.objects, built.object, &free) else { return false };
    match search.repeat(built) {
        Some(made) => search.fits(&made) && !search.jvm.differs_outside(&search.before, &made.state),
        None => false,
    }
}

impl Search<'_> {
    /// Makes the calls once more.
    fn repeat(&mut self, built: &Built) -> Option<Attempt> {
        if built.constructor != "()V" {
            return None;
        }
        let mut next = self.construct()?;
        for call in &built.calls {
            let is_it = |callee: &&super::Callee| {
                *callee.name == *call.method && *callee.descriptor == *call.descriptor
            };
            let callee = self.api.methods.iter().find(is_it)?.clone();
            if !self.call(&mut next, &callee, call.arguments.clone()) {
                return None;
            }
        }
        Some(next)
    }
}
