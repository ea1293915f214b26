//! Where the constraints of a query's parts came from, when propagation changed them: cores are given, and taken, in the
//! query's own constraints.

use crate::answer::Core;
use evergreen_canon::{Propagated, unit};
use evergreen_term::{TermId, Terms};
use rustc_hash::FxHashSet;

/// The origins of the constraints of the current query.
#[derive(Default)]
pub(crate) struct Origins(Option<Propagated>);

impl Origins {
    pub(crate) fn new(propagated: Option<Propagated>) -> Origins {
        Origins(propagated)
    }

    /// The query's constraints that were changed.
    pub(crate) fn changed(&self) -> &[TermId] {
        self.0.as_ref().map_or(&[], |p| &p.changed)
    }

    /// A core of constraints of parts, as one of the query's constraints: what implies each of them.
    pub(crate) fn core_of_query(&self, terms: &mut Terms, core: Core) -> Core {
        let Some(propagated) = &self.0 else { return core };
        let mut all: Core = core.into_iter().flat_map(|c| propagated.explain(terms, c)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Whether a constraint of a part is in a core, or came from a constraint that is.
    pub(crate) fn is_in(&self, core: &FxHashSet<TermId>, constraint: TermId) -> bool {
        let sources = self.0.as_ref().map_or(&[][..], |p| p.sources(constraint));
        core.contains(&constraint) || sources.iter().any(|s| core.contains(s))
    }

    /// Whether a constraint of a part belongs to the part's share of a core.
    ///
    /// A core of the query is one together with all units; so what it became is one together with those units that are
    /// still in the part (cells of an array that is read at other indices too).
    pub(crate) fn is_in_share(&self, terms: &Terms, core: &FxHashSet<TermId>, constraint: TermId) -> bool {
        self.is_in(core, constraint) || (self.0.is_some() && unit(terms, constraint).is_some())
    }
}
