//! A union-find: which elements of `0..n` are connected [Tarjan JACM'75].
//!
//! Paths are halved as they are walked. There are no ranks: the smaller element of two roots stays, so that a
//! set is known by its first element, whatever the order of unions. With path halving alone a union costs
//! O(log n) amortized.

/// Disjoint sets of the numbers below a bound.
#[derive(Clone, Debug)]
pub struct UnionFind {
    parent: Vec<u32>,
}

impl UnionFind {
    /// Every number below `count` in a set of its own.
    #[inline]
    pub fn new(count: usize) -> UnionFind {
        UnionFind { parent: (0..count as u32).collect() }
    }

    /// The smallest element of a number's set.
    #[inline]
    pub fn find(&mut self, mut at: u32) -> u32 {
        while self.parent[at as usize] != at {
            let up = self.parent[self.parent[at as usize] as usize];
            self.parent[at as usize] = up;
            at = up;
        }
        at
    }

    /// Makes the sets of two numbers one.
    #[inline]
    pub fn union(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    /// Labels that are rewritten at every union are the reference.
    #[test]
    fn sets_are_those_of_relabelling() {
        for seed in 0..50 {
            let mut random = Random::new(seed);
            let count = 1 + random.below(40);
            let mut sets = UnionFind::new(count);
            let mut labels: Vec<u32> = (0..count as u32).collect();
            for _ in 0..random.below(60) {
                let (a, b) = (random.below(count), random.below(count));
                sets.union(a as u32, b as u32);
                let (low, high) = (labels[a].min(labels[b]), labels[a].max(labels[b]));
                labels.iter_mut().filter(|label| **label == high).for_each(|label| *label = low);
                let found: Vec<u32> = (0..count as u32).map(|at| sets.find(at)).collect();
                assert_eq!(found, labels, "seed {seed}");
            }
        }
    }
}
