//! The UBTree answers as naive subset and superset search does, and never more than the L-Trie.

use crate::common::{World, number, payload};
use evergreen_testing::random::Random;
use evergreen_trie::{Atom, Budget, Index, LTrie, Stored, UbTree};

#[test]
fn equals_naive_search() {
    let world = World::new();
    let (mut sat, mut unsat, mut more) = (0, 0, 0);
    for seed in 0..200 {
        let mut random = Random::for_index(3, seed);
        let (range, most) = (random.between(0, 2), 2 + random.below(5));
        let sets: Vec<Vec<Atom>> = (0..80).map(|_| world.set(&mut random, most, range)).collect();
        let (mut tree, mut trie) = (UbTree::new(), LTrie::new());
        for (number, set) in sets.iter().enumerate() {
            let seen = sets[..number].contains(set);
            let stored = tree.insert_sat(set, payload(number));
            assert_eq!(stored, if seen { Stored::Ignored } else { Stored::Added });
            tree.insert_unsat(set, payload(number));
            trie.insert_sat(set, payload(number));
            trie.insert_unsat(set, payload(number));
        }
        for _ in 0..40 {
            let mut query = world.set(&mut random, 5, range);
            random.shuffle(&mut query);
            let within = |part: &[Atom], whole: &[Atom]| part.iter().all(|atom| whole.contains(atom));
            let found = tree.find_sat(&query, Budget::UNLIMITED);
            assert_eq!(found.hit.is_some(), sets.iter().any(|set| within(&query, set)));
            if let Some(hit) = found.hit {
                assert!(within(&query, &sets[number(&hit.payload)]));
                assert!(trie.find_sat(&query, Budget::UNLIMITED).hit.is_some());
                sat += 1;
            } else {
                more += usize::from(trie.find_sat(&query, Budget::UNLIMITED).hit.is_some());
            }
            let found = tree.find_unsat(&query, Budget::UNLIMITED);
            assert_eq!(found.hit.is_some(), sets.iter().any(|set| within(set, &query)));
            if let Some(hit) = found.hit {
                let mut used: Vec<Atom> = hit.used.iter().map(|&place| query[place as usize]).collect();
                used.sort();
                assert_eq!(used, sets[number(&hit.payload)]);
                assert!(trie.find_unsat(&query, Budget::UNLIMITED).hit.is_some());
                unsat += 1;
            }
        }
    }
    assert!(sat > 800 && unsat > 800 && more > 200, "{sat} {unsat} {more}");
}
