//! The counts of [Rosner TSE'15], Tables IX and X, at scopes that a test can afford; `cargo run --release --example bliss` has the rest.

use evergreen_heap::subjects::{Subject, invariant, run};
use evergreen_heap::{Scope, Technique, bounds};

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
    check_each("TreeSet.contains", &Technique::ALL[1..], [16], &[8191]);
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
    check("BinomialHeap.bfs", Technique::Bliss, [14], &[15]);
    check("BinomialHeap.dfs", Technique::Bliss, [10], &[11]);
    check("BinomialHeap.repOK", Technique::Bliss, [20], &[21]);
    check_each("BinomialHeap.repOK", &Technique::ALL, [8], &[9]);
    check_each("LinkedList.repOK", &Technique::ALL, [20], &[20]);
    check_each("LinkedList.add", &Technique::ALL, [20], &[2]);
}
