//! Counts of structures that are made without heaps, invariants or solvers: what a full traversal must
//! collect where every choice that is left leads to a valid structure, at any scope.

use evergreen_java::heap::Technique;
use std::collections::{BTreeMap, BTreeSet};

/// The structures that a method must collect, where a formula says so.
pub(super) fn expected(subject: &str, technique: Technique, scope: usize) -> Option<u64> {
    let (class, method) = subject.split_once('.')?;
    let traversal = matches!(method, "bfs" | "dfs" | "count" | "repOK");
    let sat = technique >= Technique::Bliss;
    match class {
        "BinTree" if traversal => sum(&binary(scope)),
        // Nothing of colours and heights is known to LI while links are read.
        "TreeSet" | "AvlTree" if technique == Technique::Li && matches!(method, "bfs" | "dfs") => {
            sum(&binary(scope))
        }
        "TreeSet" if method == "repOK" => sum(&coloured(scope)),
        "TreeSet" if traversal && sat => sum(&red_black(scope)),
        "AvlTree" if method == "repOK" || (traversal && sat) => sum(&avl(scope)),
        "TreeSet" | "AvlTree" if method == "contains" && technique == Technique::Li => {
            1u64.checked_shl(scope as u32).map(|n| n - 1)
        }
        "BinomialHeap" if technique == Technique::Li && matches!(method, "bfs" | "dfs") => {
            sum(&halved(scope)).map(|filled| filled + 1)
        }
        "BinomialHeap" if method == "repOK" || (traversal && sat) => Some(scope as u64 + 1),
        "LinkedList" if method == "repOK" => Some(scope as u64),
        _ => None,
    }
}

/// The trees of one node and more.
fn sum(exactly: &[u64]) -> Option<u64> {
    exactly[1..].iter().try_fold(0u64, |sum, n| sum.checked_add(*n))
}

/// Binary trees of 0 to `most` nodes.
fn binary(most: usize) -> Vec<u64> {
    let mut trees = vec![1u64];
    for n in 1..=most {
        trees.push(
            (0..n).fold(0, |sum: u64, left| {
                sum.saturating_add(trees[left].saturating_mul(trees[n - 1 - left]))
            }),
        );
    }
    trees
}

/// Lists of trees of 0 to `most` nodes in which every first child has as many nodes below it as there are in
/// its siblings' trees: all that is known of binomial heaps without degrees.
fn halved(most: usize) -> Vec<u64> {
    // All lists; those of children.
    let (mut lists, mut children) = (vec![1u64], vec![1u64]);
    for n in 1..=most {
        let half = (n - 1) / 2;
        let split = (0..n).map(|below| children[below].saturating_mul(lists[n - 1 - below]));
        lists.push(split.fold(0, u64::saturating_add));
        children.push(if n % 2 == 1 { children[half].saturating_mul(lists[half]) } else { 0 });
    }
    lists
}

/// Shapes of red-black trees of 0 to `most` nodes, by the (black height, root is black) that a shape can be
/// coloured to.
fn red_black(most: usize) -> Vec<u64> {
    type Colourings = BTreeSet<(u32, bool)>;
    let mut shapes: Vec<BTreeMap<Colourings, u64>> = vec![BTreeMap::from([(BTreeSet::from([(0, true)]), 1)])];
    for n in 1..=most {
        let mut here = BTreeMap::new();
        for left in 0..n {
            for (a, count_a) in &shapes[left] {
                for (b, count_b) in &shapes[n - 1 - left] {
                    let mut root = Colourings::new();
                    for (height, black_a) in a {
                        for (_, black_b) in b.iter().filter(|(h, _)| h == height) {
                            root.insert((height + 1, true));
                            if *black_a && *black_b {
                                root.insert((*height, false));
                            }
                        }
                    }
                    if !root.is_empty() {
                        *here.entry(root).or_insert(0) += count_a * count_b;
                    }
                }
            }
        }
        shapes.push(here);
    }
    let valid = |shapes: &BTreeMap<Colourings, u64>| {
        shapes.iter().filter(|(c, _)| c.iter().any(|(_, black)| *black)).map(|(_, n)| n).sum()
    };
    shapes.iter().map(valid).collect()
}

/// Red-black trees of 0 to `most` nodes, with their colours.
fn coloured(most: usize) -> Vec<u64> {
    // By number of nodes: for each black height and colour of the root (true is black) the number of trees.
    let mut trees: Vec<BTreeMap<(u32, bool), u64>> = vec![BTreeMap::from([((0, true), 1)])];
    for n in 1..=most {
        let mut here = BTreeMap::new();
        for left in 0..n {
            for ((height, black_a), count_a) in &trees[left] {
                for ((_, black_b), count_b) in trees[n - 1 - left].iter().filter(|((h, _), _)| h == height) {
                    *here.entry((height + 1, true)).or_insert(0) += count_a * count_b;
                    if *black_a && *black_b {
                        *here.entry((*height, false)).or_insert(0) += count_a * count_b;
                    }
                }
            }
        }
        trees.push(here);
    }
    trees.iter().map(|t| t.iter().filter(|((_, black), _)| *black).map(|(_, n)| n).sum()).collect()
}

/// AVL trees of 0 to `most` nodes.
fn avl(most: usize) -> Vec<u64> {
    let mut trees: Vec<BTreeMap<i32, u64>> = vec![BTreeMap::from([(-1, 1)])];
    for n in 1..=most {
        let mut here = BTreeMap::new();
        for left in 0..n {
            for (a, count_a) in &trees[left] {
                for (b, count_b) in trees[n - 1 - left].iter().filter(|(b, _)| (*b - a).abs() <= 1) {
                    *here.entry(1 + a.max(b)).or_insert(0) += count_a * count_b;
                }
            }
        }
        trees.push(here);
    }
    trees.iter().map(|t| t.values().sum()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_counts() {
        use Technique::{Bliss, Li};
        let counts = [
            ("BinTree.bfs", Li, 13, 1_033_411),
            ("TreeSet.bfs", Li, 13, 1_033_411),
            ("TreeSet.bfs", Bliss, 13, 1_767),
            ("TreeSet.bfs", Bliss, 20, 240_066),
            ("TreeSet.repOK", Li, 9, 212),
            ("AvlTree.bfs", Bliss, 12, 425),
            ("AvlTree.dfs", Bliss, 11, 241),
            ("AvlTree.contains", Li, 15, 32_767),
            ("BinomialHeap.dfs", Bliss, 17, 18),
            ("BinomialHeap.bfs", Li, 14, 4_240),
            ("BinomialHeap.bfs", Li, 1, 2),
        ];
        for (subject, technique, scope, count) in counts {
            assert_eq!(expected(subject, technique, scope), Some(count), "{subject}");
        }
        assert_eq!(expected("TreeSet.bfs", Technique::Bli, 9), None);
    }
}
