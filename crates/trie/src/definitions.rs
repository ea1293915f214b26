//! What is known about prefixes: the variables and coefficients they consist of.
//!
//! Nothing needs a definition. Those that are known allow bounds of a sum to follow from bounds of its variables, and say how
//! specific a prefix is: one of many variables occurs in few sets, which makes it a good place to begin a search or to shelve.

use crate::atom::{Atom, PrefixKey};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// One term of a prefix: the key of a variable (of the prefix that is this variable alone) and its coefficient.
pub type Term = (PrefixKey, i64);

/// The specificity of what has no definition, opaque constraints above all: they seldom occur twice.
pub const UNKNOWN: u8 = u8::MAX;

/// The known terms of prefixes.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    terms: FxHashMap<PrefixKey, Box<[Term]>>,
}

impl Definitions {
    /// Makes `prefix` known as the sum of `terms`; true if that is new and usable.
    ///
    /// The first definition stays. Refused are empty sums, coefficients of 0, and variables that occur twice.
    pub fn define(&mut self, prefix: PrefixKey, terms: &[Term]) -> bool {
        let twice = |i: usize| terms[..i].iter().any(|(variable, _)| *variable == terms[i].0);
        if terms.is_empty() || (0..terms.len()).any(|i| terms[i].1 == 0 || twice(i)) {
            return false;
        }
        match self.terms.entry(prefix) {
            Entry::Occupied(_) => false,
            Entry::Vacant(free) => {
                free.insert(terms.into());
                true
            }
        }
    }

    /// The terms of `prefix`, if they are known.
    pub fn terms(&self, prefix: PrefixKey) -> Option<&[Term]> {
        self.terms.get(&prefix).map(|terms| &**terms)
    }

    /// The terms of `prefix`, if it is a sum of several variables.
    pub fn sum(&self, prefix: PrefixKey) -> Option<&[Term]> {
        if self.terms.is_empty() {
            return None;
        }
        self.terms(prefix).filter(|terms| terms.len() > 1)
    }

    /// How specific `prefix` is: its number of variables, or [`UNKNOWN`].
    pub fn specificity(&self, prefix: PrefixKey) -> u8 {
        self.terms(prefix).map_or(UNKNOWN, |terms| terms.len().min(usize::from(UNKNOWN) - 1) as u8)
    }

    /// The distinct prefixes of `set`, the most specific first, ties by key.
    pub fn by_specificity(&self, set: &[Atom]) -> Vec<PrefixKey> {
        let mut prefixes: Vec<PrefixKey> = set.iter().map(|atom| atom.prefix).collect();
        prefixes.sort_unstable();
        prefixes.dedup();
        prefixes.sort_by_key(|prefix| std::cmp::Reverse(self.specificity(*prefix)));
        prefixes
    }

    /// How many prefixes are known.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// True if none is.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}
