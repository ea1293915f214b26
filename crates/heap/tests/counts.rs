//! The counts of [Rosner TSE'15], Tables IX and X, at scopes that a test can afford; `cargo run --release
//! --example bliss` has the rest.

use evergreen_heap::enumerate::structures;
use evergreen_heap::{Scope, Technique, bounds};
use evergreen_testing::heap_subjects::{Subject, invariant, run};
use std::collections::{BTreeMap, BTreeSet};

fn check(name: &str, technique: Technique, scopes: impl IntoIterator<Item = usize>, expected: &[u64]) {
    check_each(name, &[technique], scopes, expected);
}

/// The same count for several techniques; bounds are computed once.
fn check_each(
    name: &str,
    techniques: &[Technique],
    scopes: impl IntoIterator<Item = usize>,
    expected: &[u64],
) {
    let subject = Subject::find(name).expect("a subject");
    let invariant = invariant(subject.class()).expect("a known class").unwrap_or_else(|e| panic!("{e}"));
    let mut known = None;
    let mut found = vec![Vec::new(); techniques.len()];
    for n in scopes {
        if techniques != [Technique::Li] {
            known = Some(bounds(&invariant, &Scope::each(&invariant, n), known.as_ref()).unwrap());
        }
        for (technique, found) in techniques.iter().zip(&mut found) {
            found.push(run(subject, &invariant, *technique, n, known.as_ref()).unwrap().structures);
        }
    }
    for (technique, found) in techniques.iter().zip(found) {
        assert_eq!(found, expected, "{name} {technique:?}");
    }
}

#[test]
fn table_ix_depth_first_over_red_black_trees() {
    check("TreeSet.dfs", Technique::Li, 3..=8, &[8, 22, 64, 196, 625, 2055]);
    check("TreeSet.dfs", Technique::Bli, 3..=9, &[4, 14, 20, 92, 385, 1511, 3909]);
    check("TreeSet.dfs", Technique::Rbli, 3..=9, &[4, 8, 14, 42, 151, 555, 1657]);
    check_each("TreeSet.dfs", &Technique::ALL[3..], 3..=9, &[4, 8, 14, 26, 55, 95, 141]);
}

#[test]
fn binary_trees_are_the_same_for_every_technique() {
    // Sums of Catalan numbers.
    for method in ["BinTree.bfs", "BinTree.dfs", "BinTree.repOK", "BinTree.count"] {
        check_each(method, &Technique::ALL, 1..=7, &[1, 3, 8, 22, 64, 196, 625]);
    }
}

#[test]
fn red_black_trees() {
    check("TreeSet.bfs", Technique::Li, 1..=8, &[1, 3, 8, 22, 64, 196, 625, 2055]);
    let shapes = [1, 3, 4, 8, 14, 26, 55, 95, 141, 217, 407, 863];
    check("TreeSet.bfs", Technique::Bliss, 1..=12, &shapes);
    check("TreeSet.bfs", Technique::BlissDb, 1..=11, &shapes[..11]);
    check_each("TreeSet.repOK", &Technique::ALL[1..], [7, 8], &[66, 122]);
    check("TreeSet.repOK", Technique::Bliss, [9], &[212]);
}

#[test]
fn contains_prunes_by_labels_alone() {
    check("TreeSet.contains", Technique::Li, 9..=11, &[511, 1023, 2047]);
    check_each("TreeSet.contains", &Technique::ALL[1..], [12, 16], &[511, 8191]);
    check_each("AvlTree.contains", &Technique::ALL[1..], [15], &[511]);
    check("AvlTree.contains", Technique::Li, 9..=11, &[511, 1023, 2047]);
}

#[test]
fn avl_trees() {
    check("AvlTree.bfs", Technique::Li, 1..=8, &[1, 3, 8, 22, 64, 196, 625, 2055]);
    let shapes = [1, 3, 4, 8, 14, 18, 35, 67, 111, 171, 241, 425];
    check("AvlTree.bfs", Technique::Bliss, 1..=12, &shapes);
    check("AvlTree.dfs", Technique::Bliss, [11], &[241]);
    check("AvlTree.repOK", Technique::Bliss, [12], &[425]);
    check("AvlTree.repOK", Technique::Rbli, [8], &[67]);
}

#[test]
fn binomial_heaps_and_lists() {
    let halved = halved_heaps(14);
    assert_eq!(halved[10..], [416, 742, 1328, 2372, 4240]);
    check("BinomialHeap.bfs", Technique::Li, 0..=14, &halved);
    check("BinomialHeap.dfs", Technique::Li, 0..=14, &halved);
    check("BinomialHeap.bfs", Technique::Rbli, 10..=16, &[32, 38, 61, 85, 123, 174, 184]);
    check("BinomialHeap.bfs", Technique::Bliss, [14], &[15]);
    check("BinomialHeap.dfs", Technique::Bliss, [10], &[11]);
    check("BinomialHeap.repOK", Technique::Bliss, [20], &[21]);
    check_each("BinomialHeap.repOK", &Technique::ALL, [8], &[9]);
    check_each("LinkedList.repOK", &Technique::ALL, [20], &[20]);
    check_each("LinkedList.add", &Technique::ALL, [20], &[2]);
}

/// Heaps of up to 0 to `most` nodes in which every first child has as many nodes below it as there are
/// in its siblings' trees, counted without heaps: all restrictions that LI can check on binomial heaps
/// while no degree is known.
fn halved_heaps(most: usize) -> Vec<u64> {
    // Lists of trees: of roots or of all children but the first; of all children.
    let (mut lists, mut children) = (vec![1], vec![1]);
    for n in 1..=most {
        let half = (n - 1) / 2;
        lists.push((0..n).map(|below| children[below] * lists[n - 1 - below]).sum());
        children.push(if n % 2 == 1 { children[half] * lists[half] } else { 0 });
    }
    lists
        .iter()
        .scan(0, |sum, count| {
            Some(*{
                *sum += count;
                sum
            })
        })
        .collect()
}

/// Shapes of red-black trees with exactly 0 to `most` nodes, counted without heaps: by the sets of (black
/// height, is black) that a shape can be coloured to.
fn red_black_shapes(most: usize) -> Vec<u64> {
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
                    *here.entry(root).or_insert(0) += count_a * count_b;
                }
            }
        }
        shapes.push(here);
    }
    let valid = |shapes: &BTreeMap<Colourings, u64>| -> u64 {
        shapes.iter().filter(|(c, _)| c.iter().any(|(_, black)| *black)).map(|(_, n)| n).sum()
    };
    shapes.iter().map(valid).collect()
}

/// Red-black trees with exactly 0 to `most` nodes, counted with their colours; by black
/// height and colour of the root.
fn coloured_trees(most: usize) -> Vec<u64> {
    let heights = most + 2;
    // [nodes][black height][is black]
    let mut trees = vec![vec![[0u64; 2]; heights]; most + 1];
    trees[0][0][1] = 1;
    for n in 1..=most {
        for left in 0..n {
            for height in 0..heights - 1 {
                let (a, b) = (trees[left][height], trees[n - 1 - left][height]);
                trees[n][height + 1][1] += (a[0] + a[1]) * (b[0] + b[1]);
                trees[n][height][0] += a[1] * b[1];
            }
        }
    }
    trees.iter().map(|heights| heights.iter().map(|colours| colours[1]).sum()).collect()
}

/// AVL trees with exactly 0 to `most` nodes, by height; no tree has height 0 here.
fn avl_trees_of(most: usize) -> Vec<u64> {
    let mut trees = vec![vec![0u64; most + 2]; most + 1];
    trees[0][0] = 1;
    for n in 1..=most {
        for left in 0..n {
            for height in 0..=most {
                let (a, b) = (&trees[left], &trees[n - 1 - left]);
                let lower = height.checked_sub(1).map_or(0, |h| a[h] * b[height] + a[height] * b[h]);
                trees[n][height + 1] += a[height] * b[height] + lower;
            }
        }
    }
    trees.iter().map(|heights| heights.iter().sum()).collect()
}

/// Binary trees with exactly 0 to `most` nodes.
fn binary_trees(most: usize) -> Vec<u64> {
    let mut trees = vec![1u64];
    for n in 1..=most {
        trees.push((0..n).map(|left| trees[left] * trees[n - 1 - left]).sum());
    }
    trees
}

/// The solver finds as many structures as recurrences say there are; since each of them was
/// checked, there are no others.
#[test]
fn independent_counts_of_all_structures_agree() {
    let expected = [
        ("AvlTree", 10, avl_trees_of(10).iter().sum()),
        ("BinTree", 7, binary_trees(7).iter().sum()),
        ("BinomialHeap", 12, 13),
        ("LinkedList", 12, 12),
        ("SearchTree", 6, binary_trees(6).iter().sum()),
        ("SinglyLinkedList", 12, 12),
        ("TreeMap", 8, coloured_trees(8).iter().sum()),
        ("TreeSet", 9, coloured_trees(9).iter().sum::<u64>()),
    ];
    for (class, n, count) in expected {
        let invariant = invariant(class).expect("a known class").unwrap_or_else(|e| panic!("{e}"));
        let (found, all) = structures(&invariant, &Scope::each(&invariant, n), 10_000).unwrap();
        assert_eq!((found.len() as u64, all), (count, true), "{class} at {n}");
    }
    // The paper's counts of repOK leave the tree without nodes out.
    assert_eq!(coloured_trees(9)[1..].iter().sum::<u64>(), 212);
    assert_eq!(avl_trees_of(12)[1..].iter().sum::<u64>(), 425);
    assert_eq!(binary_trees(13)[1..].iter().sum::<u64>(), 1_033_411);
}

#[test]
fn independent_counts_of_avl_shapes_agree_beyond_the_tables() {
    let up_to = |n: usize| avl_trees_of(n)[1..].iter().sum::<u64>();
    check("AvlTree.bfs", Technique::Bliss, [14], &[up_to(14)]);
}

#[test]
fn an_independent_count_of_red_black_shapes_agrees() {
    let exactly = red_black_shapes(14);
    let up_to = |n: usize| exactly[1..=n].iter().sum::<u64>();
    assert_eq!(up_to(13), 1767);
    check("TreeSet.bfs", Technique::Bliss, [14], &[up_to(14)]);
}
