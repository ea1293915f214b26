//! The sums that occur in a trie, so that those can be found whose variables a query bounds.
//!
//! Each sum is listed under one pair of its variables, the one with the shortest list: a query with n bounded variables looks at
//! n(n-1)/2 lists. (Lists per single variable were tried: with 100,000 sums a query looked at thousands.) Terms are kept here
//! once more, small and in a row, because following the definitions costs three cache misses per sum.

use crate::atom::PrefixKey;
use crate::definitions::Term;
use crate::implies::{Interval, Premises, sum_interval};
use rustc_hash::FxHashMap;

/// The listed sums.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sums {
    /// Variables that occur in sums, numbered.
    variables: FxHashMap<PrefixKey, u32>,
    by_pair: FxHashMap<(u32, u32), Vec<Sum>>,
    /// The terms of all sums: numbers of variables, and coefficients.
    terms: Vec<(u32, i32)>,
}

#[derive(Clone, Copy, Debug)]
struct Sum {
    /// The number of its prefix in the trie.
    prefix: u32,
    start: u32,
    len: u32,
}

fn pair(a: u32, b: u32) -> (u32, u32) {
    (a.min(b), a.max(b))
}

impl Sums {
    pub fn is_empty(&self) -> bool {
        self.by_pair.is_empty()
    }

    /// Lists the sum that is the prefix with this number; it must not be listed yet. Sums with coefficients beyond 32 bits are
    /// left out: what would follow from their variables is not found.
    pub fn list(&mut self, prefix: u32, terms: &[Term]) {
        let (Ok(start), Ok(len)) = (u32::try_from(self.terms.len()), u32::try_from(terms.len())) else {
            return;
        };
        if terms.iter().any(|(_, coefficient)| i32::try_from(*coefficient).is_err()) {
            return;
        }
        for (variable, coefficient) in terms {
            let next = self.variables.len() as u32;
            let number = *self.variables.entry(*variable).or_insert(next);
            self.terms.push((number, *coefficient as i32));
        }
        let own = &self.terms[start as usize..];
        let pairs = own.iter().enumerate().flat_map(|(i, a)| own[..i].iter().map(|b| pair(a.0, b.0)));
        let length = |pair: &(u32, u32)| self.by_pair.get(pair).map_or(0, Vec::len);
        if let Some(pair) = pairs.min_by_key(length) {
            self.by_pair.entry(pair).or_default().push(Sum { prefix, start, len });
        }
    }

    /// Tells `found` of every sum of which two variables at least are bounded: its prefix, and the interval that follows. False if
    /// `found` said stop.
    pub fn visit(&self, premises: Premises, mut found: impl FnMut(u32, Interval) -> bool) -> bool {
        let mut bounded: Vec<(u32, Interval)> = Vec::new();
        for prefix in premises.prefixes() {
            if let Some(&number) = self.variables.get(&prefix) {
                let interval = premises.interval(prefix);
                if !interval.is_everything() {
                    bounded.push((number, interval));
                }
            }
        }
        let bounds = |variable: u32| {
            let known = bounded.iter().find(|(number, _)| *number == variable);
            known.map_or(Interval::default(), |(_, interval)| *interval)
        };
        for (i, (a, _)) in bounded.iter().enumerate() {
            for sum in bounded[..i].iter().filter_map(|(b, _)| self.by_pair.get(&pair(*a, *b))).flatten() {
                let terms = &self.terms[sum.start as usize..(sum.start + sum.len) as usize];
                let terms = terms.iter().map(|(variable, coefficient)| (*variable, i64::from(*coefficient)));
                if !found(sum.prefix, sum_interval(terms, bounds)) {
                    return false;
                }
            }
        }
        true
    }
}
