//! cvc5's finite fields. A field is known by its order, an element by its text.

use super::Entry;
use evergreen_term::{Sort, SortId, Terms};

pub(super) const FUNCTIONS: &[Entry] = &[
    ("ff.add", 0, "F F+ -> F"),
    ("ff.mul", 0, "F F+ -> F"),
    ("ff.bitsum", 0, "F F+ -> F"),
    ("ff.neg", 0, "F -> F"),
];

/// The field of that order.
pub(super) fn sort(terms: &mut Terms, order: &str) -> Option<SortId> {
    let is_number = !order.is_empty() && !order.starts_with('0') && order.bytes().all(|b| b.is_ascii_digit());
    let name = is_number.then(|| terms.name(&format!("(_ FiniteField {order})")))?;
    Some(terms.sort(Sort::Opaque(name, Box::new([]))))
}

/// Whether a sort is a finite field.
pub(super) fn is_field(terms: &Terms, sort: SortId) -> bool {
    matches!(terms.sort_kind(sort), Sort::Opaque(name, _) if terms.text(*name).starts_with("(_ FiniteField "))
}

/// Whether a name is that of an element, `ff3` or `ff-1`.
pub(super) fn is_element(name: &str) -> bool {
    let digits = name.strip_prefix("ff").map(|rest| rest.strip_prefix('-').unwrap_or(rest));
    digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}
