//! Look up satisfied: does an old model satisfy the part? And, where the part's symbols have few values, does any?

use super::refutation::Refutation;
use super::{Engine, Found, Part};
use crate::translate;
use crate::witness::Witness;
use evergreen_canon::Leaf;
use evergreen_term::{
    BitVec, Completion, Evaluator, Model, Sort, SymbolKind, TermId, Terms, Traits, Value, encode_value,
};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// How many old models are tried on a part.
const MODELS: usize = 12;
/// Models of more bytes are not kept.
const LARGE: usize = 1 << 14;
/// Symbols of up to this many bits together have all their values tried.
const BITS: u32 = 8;
/// Evaluated terms, over all values, after which trying them costs more than a solver.
const EVALUATIONS: usize = 200_000;

impl Engine {
    /// Tries the most promising old models.
    pub(super) fn satisfied(&mut self, terms: &mut Terms, part: &Part) -> Option<Found> {
        let keys = self.leaf_keys(terms, part);
        for witness in self.witnesses.candidates(&keys, MODELS) {
            let value = |i: usize| witness.iter().find(|(k, _)| *k == keys[i]).map(|(_, v)| &**v);
            let Some(model) = translate::from_some(terms, &part.canonical.leaves, value) else { continue };
            if satisfies(terms, &model, &part.constraints) == Some(true) {
                return Some(Found::Sat(model));
            }
        }
        None
    }

    /// Keeps the model of a part for later parts: the encoded values of its leaves.
    pub(super) fn remember(&mut self, terms: &Terms, part: &Part, values: &[Vec<u8>]) {
        if !self.options.models || values.iter().map(Vec::len).sum::<usize>() > LARGE {
            return;
        }
        let keys = self.leaf_keys(terms, part);
        let known = keys.into_iter().zip(values).filter(|(_, v)| !v.is_empty());
        let witness: Witness = known.map(|(k, v)| (k, Rc::from(&v[..]))).collect();
        self.witnesses.add(witness);
    }

    fn leaf_keys(&mut self, terms: &Terms, part: &Part) -> Vec<u128> {
        let canonizer = &mut self.canonizer;
        part.canonical.leaves.iter().map(|&leaf| canonizer.leaf_key(terms, leaf).unwrap_or(0)).collect()
    }

    /// Tries all values of the part's symbols, where there are few. Decides either way.
    pub(super) fn tried(&mut self, terms: &mut Terms, part: &Part) -> Option<Found> {
        let odd = Traits::QUANTIFIED | Traits::PARTIAL | Traits::FUNCTIONS | Traits::DECLARED_SORTS;
        if part.constraints.iter().any(|&c| terms.traits(c).has_any(odd)) {
            return None;
        }
        let widths = widths(terms, &part.canonical.leaves)?;
        let bits: u32 = widths.iter().map(|w| w.unwrap_or(1)).sum();
        if bits > BITS || count_terms(terms, &part.constraints, EVALUATIONS >> bits).is_none() {
            return None;
        }
        for case in 0u128..1 << bits {
            let values = encoded_case(terms, &widths, case)?;
            let value = |i: usize| Some(&values[i][..]);
            let model = translate::from_some(terms, &part.canonical.leaves, value)?;
            // Something without a value: nothing is known.
            if satisfies(terms, &model, &part.constraints)? {
                return Some(Found::Sat(model));
            }
        }
        Some(Found::Unsat(Refutation::exhausted(part)))
    }
}

/// Whether all constraints hold under a model that has a value for everything in them; `None` when one cannot be evaluated
/// before another is false.
fn satisfies(terms: &Terms, model: &Model, constraints: &[TermId]) -> Option<bool> {
    let mut evaluator = Evaluator::new(terms, model).completing(Completion::None);
    for &c in constraints {
        match evaluator.evaluate(c) {
            Ok(Value::Bool(true)) => {}
            Ok(_) => return Some(false),
            Err(_) => return None,
        }
    }
    Some(true)
}

/// The width of each leaf that is a bit vector, `None` inside for a truth value; `None` when one is neither.
fn widths(terms: &Terms, leaves: &[Leaf]) -> Option<Vec<Option<u32>>> {
    let width = |&leaf: &Leaf| {
        let sort = match leaf {
            Leaf::Symbol(s) => {
                let symbol = terms.symbol_of(s);
                let free = matches!(symbol.kind, SymbolKind::Free) && symbol.params.is_empty();
                free.then_some(symbol.result)?
            }
            Leaf::Cell(read) => terms.sort_of(read),
            _ => return None,
        };
        match terms.sort_kind(sort) {
            Sort::Bool => Some(None),
            Sort::BitVec(width) if *width <= BITS => Some(Some(*width)),
            _ => None,
        }
    };
    leaves.iter().map(width).collect()
}

/// The encoded values of one case: its bits, dealt out to the leaves.
fn encoded_case(terms: &Terms, widths: &[Option<u32>], mut case: u128) -> Option<Vec<Vec<u8>>> {
    let mut values = Vec::with_capacity(widths.len());
    for width in widths {
        let bits = width.unwrap_or(1);
        let value = match width {
            None => Value::Bool(case & 1 == 1),
            Some(w) => Value::BitVec(BitVec::new(*w, case & ((1 << w) - 1))),
        };
        case >>= bits;
        let mut bytes = Vec::new();
        encode_value(terms, &value, &mut bytes).ok()?;
        values.push(bytes);
    }
    Some(values)
}

/// The number of different terms in constraints; `None` when there are more than a limit.
pub(super) fn count_terms(terms: &Terms, constraints: &[TermId], limit: usize) -> Option<usize> {
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut stack = constraints.to_vec();
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            if seen.len() > limit {
                return None;
            }
            stack.extend(terms.args(term));
        }
    }
    Some(seen.len())
}
