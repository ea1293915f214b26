//! cvc5's functions as values.

use super::Entry;

pub(super) const FUNCTIONS: &[Entry] = &[("@", 0, "!apply")];
