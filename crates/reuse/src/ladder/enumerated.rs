//! Enumerated: the part's symbols have so few values that all of them are evaluated. Decides either way.

use super::satisfied::satisfies;
use crate::engine::{Engine, Found, Part, Refutation};
use crate::ladder::{Index, New};
use crate::translate;
use evergreen_canon::Leaf;
use evergreen_term::{BitVec, Sort, SymbolKind, TermId, Terms, Traits, Value, encode_value};
use rustc_hash::FxHashSet;

/// Symbols of up to this many bits together have all their values enumerated.
const BITS: u32 = 8;
/// Evaluated terms, over all values, after which enumerating costs more than a solver.
const EVALUATIONS: usize = 200_000;

impl Engine {
    /// Evaluates the part under all values of its symbols.
    pub(super) fn enumerated(&mut self, terms: &mut Terms, part: &Part) -> Option<New> {
        let found = self.enumerate(terms, part)?;
        Some(New { found, index: Index::All })
    }

    fn enumerate(&mut self, terms: &mut Terms, part: &Part) -> Option<Found> {
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
            let model = translate::from_some(terms, &part.canonical.leaves, &part.canonical.tables, value)?;
            // Something without a value: nothing is known.
            if satisfies(terms, &model, &part.constraints)? {
                return Some(Found::Sat(model));
            }
        }
        Some(Found::Unsat(Refutation::exhausted(part)))
    }
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
pub(crate) fn count_terms(terms: &Terms, constraints: &[TermId], limit: usize) -> Option<usize> {
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
