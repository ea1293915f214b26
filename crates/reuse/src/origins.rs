//! Where the constraints of a query's parts came from, when propagation changed them: cores are given, and
//! taken, in the query's own constraints.

use crate::answer::Core;
use evergreen_canon::Propagated;
use evergreen_term::{TermId, Terms};
use rustc_hash::FxHashSet;

/// The origins of the constraints of the current query.
#[derive(Default)]
pub(crate) struct Origins(Option<Propagated>);

impl Origins {
    pub(crate) fn new(propagated: Option<Propagated>) -> Origins {
        Origins(propagated)
    }

    /// Whether propagation changed a constraint of the query.
    pub(crate) fn is_propagated(&self) -> bool {
        self.0.is_some()
    }

    /// The query's constraints that were changed.
    pub(crate) fn changed(&self) -> &[TermId] {
        self.0.as_ref().map_or(&[], |p| &p.changed)
    }

    /// A core of constraints of parts, as one of the query's constraints: what implies each of them.
    pub(crate) fn core_of_query(&self, terms: &mut Terms, core: Core) -> Option<Core> {
        let Some(propagated) = &self.0 else { return Some(core) };
        let mut all: Vec<TermId> =
            core.into_constraints().into_iter().flat_map(|c| propagated.explain(terms, c)).collect();
        all.sort_unstable();
        all.dedup();
        Core::new(all)
    }

    /// Whether a constraint of a part is one of these constraints of the query, or came from one.
    pub(crate) fn is_in(&self, core: &FxHashSet<TermId>, constraint: TermId) -> bool {
        let sources = self.0.as_ref().map_or(&[][..], |p| p.sources(constraint));
        core.contains(&constraint) || sources.iter().any(|s| core.contains(s))
    }
}
