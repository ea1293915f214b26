//! Definitions of prefixes: the variables and coefficients they consist of.
//!
//! Definitions are optional. With a definition, bounds of a sum follow from bounds of its variables. A
//! definition also shows how specific a prefix is: a prefix of many variables occurs in few sets, which makes
//! it a good place to begin a search or to shelve.

use crate::atom::{Atom, Op, PrefixKey};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::hash_map::Entry;

/// One term of a prefix: the key of a variable (of the prefix that is this variable
/// alone) and its coefficient.
pub type Term = (PrefixKey, i64);

/// The specificity of opaque constraints: they seldom occur twice.
pub(crate) const OPAQUE: u8 = u8::MAX;

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

    /// How specific the prefix of `atom` is: its number of variables. A compared prefix without a
    /// definition counts as a variable (the most frequent prefixes, which need none), an opaque
    /// constraint as more than any sum.
    pub fn specificity(&self, atom: &Atom) -> u8 {
        if atom.op == Op::Holds {
            return OPAQUE;
        }
        self.sum(atom.prefix).map_or(1, |terms| terms.len().min(usize::from(OPAQUE) - 1) as u8)
    }

    /// The distinct prefixes of `set`, the most specific first, ties by key.
    pub fn by_specificity(&self, set: &[Atom]) -> Vec<PrefixKey> {
        let rank = |atom: &Atom| (Reverse(self.specificity(atom)), atom.prefix);
        let mut prefixes: Vec<(Reverse<u8>, PrefixKey)> = set.iter().map(rank).collect();
        prefixes.sort_unstable();
        prefixes.dedup_by_key(|(_, prefix)| *prefix);
        prefixes.into_iter().map(|(_, prefix)| prefix).collect()
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
