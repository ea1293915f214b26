//! cvc5's separation logic. All formulas of a script speak of one heap, whose sorts are declared: they are
//! part
//! of each function.

use super::Entry;

pub(super) const FUNCTIONS: &[Entry] = &[
    ("sep", 0, "Bool Bool+ -> Bool"),
    ("wand", 0, "Bool Bool -> Bool"),
    ("pto", 0, "a b -> Bool"),
    ("sep.emp", 0, "-> Bool"),
];

/// Whether a function speaks of the heap.
pub(super) fn depends_on_heap(name: &str) -> bool {
    FUNCTIONS.iter().any(|entry| entry.0 == name)
}
