//! The storing rules, budgets and likely models, by example.

use crate::common::{key, payload};
use evergreen_trie::{Atom, Budget, Found, Index, LTrie, Stored, UbTree};

/// Keys that sort as they are numbered.
fn atom(number: u128) -> Atom {
    Atom::holds(evergreen_trie::PrefixKey(number << 100))
}

fn number(found: &Found) -> Option<usize> {
    let bytes = found.hit.as_ref()?.payload.as_ref().try_into().expect("eight bytes");
    Some(usize::from_le_bytes(bytes))
}

#[test]
fn satisfiable_sets_keep_the_longest() {
    let mut trie = LTrie::new();
    let (a, b, c) = (atom(1), atom(2), atom(3));
    assert_eq!(trie.insert_sat(&[a, b], payload(1)), Stored::Added);
    assert_eq!(trie.insert_sat(&[a, b, c], payload(2)), Stored::Extended, "rule (a)");
    assert_eq!(trie.insert_sat(&[a], payload(3)), Stored::Ignored, "rule (b)");
    assert_eq!(trie.insert_sat(&[a, b, c], payload(4)), Stored::Ignored);
    assert_eq!(trie.insert_sat(&[b, c], payload(5)), Stored::Added, "rule (c)");
    assert_eq!((trie.sizes().sat, trie.sizes().nodes), (2, 5));
    assert_eq!(number(&trie.find_sat(&[a], Budget::UNLIMITED)), Some(2));
    assert_eq!(trie.insert_sat(&[], payload(6)), Stored::Ignored);
}

#[test]
fn unsatisfiable_sets_keep_the_shortest() {
    let mut trie = LTrie::new();
    let (a, b, c) = (atom(1), atom(2), atom(3));
    assert_eq!(trie.insert_unsat(&[a, b, c], payload(1)), Stored::Added);
    assert_eq!(trie.insert_unsat(&[a, c], payload(2)), Stored::Added, "rule (c)");
    assert_eq!(trie.insert_unsat(&[a, b], payload(3)), Stored::Shortened, "rule (b)");
    assert_eq!(trie.insert_unsat(&[a, b, c], payload(4)), Stored::Ignored, "rule (a)");
    assert_eq!((trie.sizes().unsat, trie.sizes().nodes), (2, 3));
    assert!(number(&trie.find_unsat(&[c, b, a], Budget::UNLIMITED)).is_some());
    let found = trie.find_unsat(&[atom(7), b, a], Budget::UNLIMITED);
    assert_eq!((number(&found), found.hit.map(|hit| hit.used)), (Some(3), Some(vec![1, 2])));
    assert_eq!(trie.find_unsat(&[b, c], Budget::UNLIMITED).hit, None);
    // An empty core would answer everything: it is never stored.
    assert_eq!(trie.insert_unsat(&[], payload(5)), Stored::Ignored);
    assert_eq!(trie.find_unsat(&[], Budget::UNLIMITED).hit, None);
}

#[test]
fn freed_nodes_are_used_again() {
    let mut trie = LTrie::new();
    for round in 0..50 {
        for last in 3..30 {
            trie.insert_unsat(&[atom(1), atom(100 + round), atom(200 + last)], payload(0));
        }
        trie.insert_unsat(&[atom(1), atom(100 + round)], payload(0));
    }
    assert_eq!((trie.sizes().unsat, trie.sizes().nodes), (50, 51));
    assert!(trie.find_unsat(&[atom(1), atom(149)], Budget::UNLIMITED).hit.is_some());
    assert!(trie.find_unsat(&[atom(1), atom(229)], Budget::UNLIMITED).hit.is_none());
}

#[test]
fn the_examples_of_the_paper() {
    let mut trie = LTrie::new();
    let x = key(0);
    // x > 0 is satisfiable, so x > -1 is; x < 0 and x > 1 are not, so x < -1 and x > 2 are not.
    trie.insert_sat(&[Atom::ge(x, 1)], payload(1));
    trie.insert_unsat(&[Atom::le(x, -1), Atom::ge(x, 2)], payload(2));
    assert_eq!(number(&trie.find_sat(&[Atom::ge(x, 0)], Budget::default())), Some(1));
    assert_eq!(number(&trie.find_unsat(&[Atom::le(x, -2), Atom::ge(x, 3)], Budget::default())), Some(2));
    // {x != 0, x > -1, x < 2} is a logical subset of {x > 1, x < 2}, which has fewer elements.
    let mut trie = LTrie::new();
    trie.insert_sat(&[Atom::ge(x, 2), Atom::le(x, 1)], payload(3));
    let query = [Atom::ne(x, 0), Atom::ge(x, 0), Atom::le(x, 1)];
    assert_eq!(number(&trie.find_sat(&query, Budget::default())), Some(3));
    assert!(UbTree::new().find_sat(&query, Budget::default()).hit.is_none());
}

#[test]
fn budgets_cut_off_and_say_so() {
    let (mut trie, mut tree) = (LTrie::new(), UbTree::new());
    for number in 0..200 {
        // Two halves that never come together: the rarest atom of the query has 100 nodes.
        let half = atom(1 + number % 2);
        for index in [&mut trie as &mut dyn Index, &mut tree] {
            index.insert_sat(&[half, atom(500 + number)], payload(0));
            index.insert_unsat(&[half, atom(500 + number)], payload(0));
        }
    }
    for index in [&mut trie as &mut dyn Index, &mut tree] {
        let query = [atom(1), atom(2)];
        let whole = index.find_sat(&query, Budget::UNLIMITED);
        assert!(whole.hit.is_none() && !whole.cut_off && whole.steps > 0);
        let cut = index.find_sat(&[atom(2)], Budget(0));
        assert_eq!((cut.hit, cut.cut_off, cut.steps), (None, true, 0));
    }
    let many: Vec<Atom> = (0..200).map(|number| atom(500 + number)).chain([atom(1)]).collect();
    assert!(trie.find_unsat(&many, Budget::UNLIMITED).hit.is_some());
    assert!(trie.find_unsat(&many, Budget(1)).cut_off);
}

#[test]
fn likely_models_share_specific_prefixes() {
    let mut trie = LTrie::new();
    let (x, y, sum) = (key(0), key(1), key(2));
    trie.define(x, &[(x, 1)]);
    trie.define(y, &[(y, 1)]);
    trie.define(sum, &[(x, 1), (y, 1)]);
    trie.insert_sat(&[Atom::ge(x, 5)], payload(1));
    trie.insert_sat(&[Atom::ge(y, 5)], payload(2));
    trie.insert_sat(&[Atom::ge(sum, 5), Atom::le(x, 0)], payload(3));
    let likely = trie.candidates(&[Atom::ge(sum, 9), Atom::ge(x, 1)], 2);
    assert_eq!(likely, [payload(3), payload(1)]);
    assert!(trie.candidates(&[Atom::holds(key(9))], 2).is_empty());
    assert!(trie.candidates(&[Atom::ge(sum, 9)], 0).is_empty());
}

/// x + y >= 2 and, by x <= 1 and y <= 1, x + y <= 2: together x + y = 2. All three
/// atoms are needed, and named.
#[test]
fn a_core_implied_by_a_sum_and_its_variables_names_them() {
    let mut trie = LTrie::new();
    let (x, y, sum, other) = (key(0), key(1), key(2), key(3));
    trie.define(sum, &[(x, 1), (y, 1)]);
    trie.insert_unsat(&[Atom::eq(sum, 2), Atom::holds(other)], payload(1));
    let query = [Atom::le(x, 1), Atom::holds(key(4)), Atom::le(y, 1), Atom::ge(sum, 2), Atom::holds(other)];
    let found = trie.find_unsat(&query, Budget::default());
    assert_eq!(found.hit.map(|hit| hit.used), Some(vec![0, 2, 3, 4]));
    assert_eq!(trie.find_unsat(&query[..4], Budget::default()).hit, None);
    assert_eq!(trie.find_unsat(&query[1..], Budget::default()).hit, None);
}
