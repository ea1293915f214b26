//! Implied: a recorded satisfiable set implies the part, or the part implies a recorded unsatisfiable one.
//!
//! [Cadar OSDI'08] looks for supersets and subsets of the same constraints, [Jia ISSTA'15] for sets that are
//! related by implication between constraints. Both know a set only under the names it was asked with; see
//! [`crate::logic`]. Which sets are recorded, and under which names, is in `crates/reuse/src/engine/sets.rs`.

use crate::engine::{Engine, Found, Ground, Part, Refutation};
use crate::ladder::{Index, New};
use crate::logic::Related;
use crate::strict::{StrictFound, StrictSet, Technique};
use evergreen_term::Terms;

impl Engine {
    /// Looks a part up by logic, under each of its namings.
    pub(super) fn implied(&mut self, terms: &mut Terms, part: &Part) -> Option<New> {
        if let Some(technique) = self.options.strict {
            return self.implied_strictly(terms, part, technique);
        }
        for (naming, set) in self.sets(terms, part) {
            let index = Index::AllBut(naming);
            match self.logic.as_mut()?.find(&set) {
                None => {}
                Some(Related::Unsat(core)) => {
                    return Some(New { found: Found::Unsat(Refutation::by_sets(part, core)), index });
                }
                Some(Related::Sat(payload)) => {
                    match self.model_from(terms, part, &set.leaves, &payload, Ground::Implied) {
                        Some(model) => return Some(New { found: Found::Sat(model), index }),
                        None => self.stats.rejected += 1,
                    }
                }
            }
        }
        None
    }

    /// Looks a part up as one of the papers does.
    fn implied_strictly(&mut self, terms: &mut Terms, part: &Part, technique: Technique) -> Option<New> {
        let set = StrictSet::new(technique, terms, &part.constraints)?;
        let found = match self.strict.as_mut()?.find(&set)? {
            StrictFound::Unsat(core) => Found::Unsat(Refutation::by_sets(part, core)),
            StrictFound::Sat(payload) => {
                let model = self.model_from(terms, part, &set.leaves, &payload, Ground::Implied);
                self.stats.rejected += u64::from(model.is_none());
                Found::Sat(model?)
            }
        };
        Some(New { found, index: Index::None })
    }
}
