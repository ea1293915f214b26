//! Old models, kept so that they can be tried on new queries.
//!
//! Evaluating old models is the strongest rung after slicing in KLEE's own ablation (trying all of them
//! halves the solver calls once more). A model is kept under the named keys of what it gives values to, so it
//! outlives the arena it came from; the ones to try on a part are the most recent that say something about
//! its symbols.

use rustc_hash::FxHashMap;
use std::rc::Rc;

/// How many models are kept.
const KEPT: usize = 8192;
/// How many are kept per symbol.
const RECENT: usize = 16;

/// A model: encoded values by named key.
pub(crate) type Witness = Rc<[(u128, Rc<[u8]>)]>;

/// The models that are kept.
#[derive(Default)]
pub(crate) struct Witnesses {
    ring: Vec<Witness>,
    /// How many were ever added; the one added as number `n` is at `n % KEPT`.
    added: u64,
    /// For each named key, the numbers of the last models with a value for it, oldest first.
    by_key: FxHashMap<u128, Vec<u64>>,
}

impl Witnesses {
    pub(crate) fn is_empty(&self) -> bool {
        self.ring.is_empty()
    }

    /// Keeps a model, unless it is the last one again.
    pub(crate) fn add(&mut self, witness: Witness) {
        if witness.is_empty() {
            return;
        }
        let number = self.added;
        if let Some(last) = number.checked_sub(1)
            && self.ring[last as usize % KEPT] == witness
        {
            return;
        }
        for (key, _) in witness.iter() {
            let recent = self.by_key.entry(*key).or_default();
            if recent.len() == RECENT {
                recent.remove(0);
            }
            recent.push(number);
        }
        match self.ring.get_mut(number as usize % KEPT) {
            Some(place) => *place = witness,
            None => self.ring.push(witness),
        }
        self.added += 1;
        if self.by_key.len() > 8 * KEPT {
            let oldest = self.added.saturating_sub(KEPT as u64);
            self.by_key.retain(|_, recent| recent.last().is_some_and(|&n| n >= oldest));
        }
    }

    /// At most `limit` models to try on a part with these symbols, most promising first.
    pub(crate) fn candidates(&self, keys: &[u128], limit: usize) -> Vec<Witness> {
        let oldest = self.added.saturating_sub(KEPT as u64);
        let mut numbers: Vec<u64> = keys
            .iter()
            .filter_map(|k| self.by_key.get(k))
            .flatten()
            .copied()
            .filter(|&n| n >= oldest)
            .collect();
        numbers.sort_unstable_by(|a, b| b.cmp(a));
        // Those that know more of the part's symbols first; among these the most recent.
        let mut counted: Vec<(usize, u64)> = Vec::new();
        for n in numbers {
            match counted.last_mut() {
                Some((count, last)) if *last == n => *count += 1,
                _ => counted.push((1, n)),
            }
        }
        counted.sort_by_key(|c| std::cmp::Reverse(c.0));
        counted.iter().take(limit).map(|&(_, n)| self.ring[n as usize % KEPT].clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn witness(pairs: &[(u128, u8)]) -> Witness {
        pairs.iter().map(|&(k, v)| (k, Rc::from(&[v][..]))).collect()
    }

    #[test]
    fn the_ones_that_know_most_come_first_then_the_recent() {
        let mut all = Witnesses::default();
        all.add(witness(&[(1, 10), (2, 10)]));
        all.add(witness(&[(1, 20)]));
        all.add(witness(&[(1, 30)]));
        all.add(witness(&[(3, 40)]));
        let tried: Vec<u8> = all.candidates(&[1, 2], 8).iter().map(|w| w[0].1[0]).collect();
        assert_eq!(tried, [10, 30, 20]);
        assert_eq!(all.candidates(&[1, 2], 1).len(), 1);
        assert!(all.candidates(&[9], 8).is_empty());
    }

    #[test]
    fn memory_is_bounded_and_the_old_are_forgotten() {
        let mut all = Witnesses::default();
        all.add(witness(&[(7, 1)]));
        for i in 0..KEPT as u128 {
            all.add(witness(&[(100 + i, 2)]));
        }
        assert!(all.candidates(&[7], 8).is_empty(), "its place was taken");
        assert_eq!(all.ring.len(), KEPT);
        for i in 0..200 {
            all.add(witness(&[(5, i)]));
        }
        assert_eq!(all.candidates(&[5], 1000).len(), RECENT);
    }
}
