//! Bits: the core of bit vectors decides a part that nothing cheaper answers, before a solver process is
//! asked.
//!
//! Unlike the native core it comes after the look-ups, at every level: a query of bytes and arrays takes it
//! longer than a key, and a record saves it the work. What it decides is recorded like a solver's answer.

use super::satisfied::MODELS_NEAR;
use crate::engine::{Engine, Found, Part, Refutation};
use crate::ladder::{Index, New};
use evergreen_bits::{Bits, Decision, Effort};
use evergreen_term::{Model, TermId, Terms};

/// A model of constraints of bit vectors, arrays of them and truth values, found by a core that has seen
/// nothing else: a function of the arena and of the constraints. `None` when there is none, or when it takes
/// too many steps.
pub fn model_of_bits(terms: &Terms, constraints: &[TermId]) -> Option<Model> {
    match Bits::new().decide(terms, constraints, &[], Effort::default()) {
        Decision::Sat(model) => Some(model),
        Decision::Unsat(_) | Decision::Unknown(_) => None,
    }
}

impl Engine {
    /// Decides a part of bit vectors, arrays of them and truth values.
    pub(super) fn decide_bits(&mut self, terms: &mut Terms, part: &Part) -> Option<New> {
        let near = self.models_near(terms, part, MODELS_NEAR);
        let old: Vec<&Model> = near.iter().collect();
        let found = match self.bits.decide(terms, &part.constraints, &old, Effort::default()) {
            Decision::Unknown(_) => return None,
            Decision::Sat(model) if self.holds(terms, &model, &part.constraints) == Some(false) => {
                // One of two independent evaluations is wrong: a solver decides.
                self.stats.contradicted += 1;
                return None;
            }
            Decision::Sat(model) => Found::Sat(model),
            Decision::Unsat(places) => Found::Unsat(Refutation::by_bits(part, places)?),
        };
        Some(New { found, index: Index::All })
    }
}
