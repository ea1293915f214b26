//! Bits: the core of bit vectors decides a part that nothing cheaper answers, before a solver process is
//! asked.
//!
//! Unlike the native core it comes after the look-ups, at every level: a query of bytes and arrays takes it
//! longer than a key, and a record saves it the work. What it decides is recorded like a solver's answer.

use super::satisfied::MODELS_NEAR;
use crate::engine::{Engine, Found, Part, Refutation};
use crate::ladder::{Index, New};
use crate::query::Query;
use evergreen_bits::{Bits, Decision, Effort};
use evergreen_canon::Leaf;
use evergreen_term::{BitVec, Model, Sort, SortId, TermId, Terms, Value};

/// A model of constraints of bit vectors, arrays of them and truth values, found by a core that has seen
/// nothing else: a function of the arena and of the constraints. `None` when there is none, or when it takes
/// too many steps.
pub fn model_of_bits(terms: &Terms, constraints: &[TermId]) -> Option<Model> {
    match Bits::new().decide(terms, constraints, &[], Effort::default()) {
        Decision::Sat(model) => Some(model),
        Decision::Unsat(_) | Decision::Unknown(_) => None,
    }
}

/// Whether a leaf may have a place in the core: found out before anything is prepared for it.
fn is_of_bits(terms: &Terms, leaf: Leaf) -> bool {
    let sort = match leaf {
        Leaf::Symbol(symbol) => terms.symbol_of(symbol).result,
        Leaf::Cell(read) => terms.sort_of(read),
        _ => return false,
    };
    let is_scalar = |sort: SortId| matches!(terms.sort_kind(sort), Sort::Bool | Sort::BitVec(_));
    match terms.sort_kind(sort) {
        &Sort::Array(index, element) => is_scalar(index) && is_scalar(element),
        _ => is_scalar(sort),
    }
}

impl Engine {
    /// The old values that a caller has of the slice of a path, where it is about bits.
    pub(crate) fn near_bits(&self, terms: &Terms, query: &Query<'_>, parts: &[Part]) -> Option<Model> {
        let ([part], Some(old)) = (parts, query.branch?.old) else { return None };
        let leaves = &part.canonical.leaves;
        if !self.options.native || !leaves.iter().all(|&leaf| is_of_bits(terms, leaf)) {
            return None;
        }
        let value = |&leaf: &Leaf| {
            let Leaf::Symbol(symbol) = leaf else { return None };
            let number = old(terms, symbol)?;
            let value = match *terms.sort_kind(terms.symbol_of(symbol).result) {
                Sort::Bool => Value::Bool(number != 0),
                Sort::BitVec(width) => Value::BitVec(BitVec::from_bigint(width, &number.into())),
                _ => return None,
            };
            Some((symbol, value))
        };
        Some(leaves.iter().filter_map(value).collect())
    }

    /// Decides a part of bit vectors, arrays of them and truth values.
    pub(super) fn decide_bits(&mut self, terms: &mut Terms, part: &Part) -> Option<New> {
        if !part.canonical.leaves.iter().all(|&leaf| is_of_bits(terms, leaf)) {
            return None;
        }
        let near = self.models_near(terms, part, MODELS_NEAR);
        let of_path = self.near.take();
        let old: Vec<&Model> = of_path.iter().chain(&near).collect();
        let effort = if self.unaided { Effort::thorough() } else { Effort::default() };
        let found = match self.bits.decide(terms, &part.constraints, &old, effort) {
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
