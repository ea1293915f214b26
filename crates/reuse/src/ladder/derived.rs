//! Derived: several recorded unsatisfiable sets refute the part together. The search is
//! `crates/trie/src/derive.rs`.

use crate::engine::{Engine, Found, Part, Refutation};
use crate::ladder::{Index, New};
use crate::logic::Naming;
use evergreen_term::Terms;
use evergreen_trie::MOST_REFUTED;

impl Engine {
    /// Looks only under the part's own names: under those the paths of a program and of its next version
    /// share constraints.
    pub(super) fn derived(&mut self, terms: &mut Terms, part: &Part) -> Option<New> {
        // Longer sets are not looked at, and building them costs.
        if part.constraints.len() > MOST_REFUTED {
            return None;
        }
        let leaves = &part.canonical.leaves;
        let logic = self.logic.as_mut()?;
        let set = logic.set(terms, &mut self.canonizer, &part.constraints, leaves, Naming::Own)?;
        let core = logic.refute(&set)?;
        Some(New { found: Found::Unsat(Refutation::by_sets(part, core)), index: Index::All })
    }
}
