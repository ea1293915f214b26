//! Implied: a recorded satisfiable set implies the part, or the part implies a recorded unsatisfiable one.
//!
//! [Cadar OSDI'08] looks for supersets and subsets of the same constraints, [Jia ISSTA'15] for sets that are
//! related by implication between constraints. Both know a set only under the names it was asked with; see
//! [`crate::logic`]. Which sets are recorded, and under which names, is in `crates/reuse/src/engine/sets.rs`.

use crate::engine::{Engine, Found, Ground, Part, Refutation};
use crate::ladder::{Index, New};
use crate::logic::Related;
use evergreen_term::Terms;

impl Engine {
    /// Looks a part up by logic, under each of its namings.
    pub(super) fn implied(&mut self, terms: &mut Terms, part: &Part) -> Option<New> {
        for (naming, set) in self.sets(terms, part) {
            let index = Index::AllBut(naming);
            match self.logic.as_mut()?.find(&set) {
                None => {}
                Some(Related::Unsat(core)) => {
                    return Some(New { found: Found::Unsat(Refutation::by_sets(part, core)), index });
                }
                Some(Related::Sat(payload)) => {
                    match self.model_from(terms, part, &set, &payload, Ground::Implied) {
                        Some(model) => return Some(New { found: Found::Sat(model), index }),
                        None => self.stats.rejected += 1,
                    }
                }
            }
        }
        None
    }
}
