//! The L-Trie answers as naive search over all stored sets does, and as a solver does.

use crate::common::{WarmZ3, World, key, naive_sat, naive_unsat, number, payload, set_implies};
use evergreen_testing::random::Random;
use evergreen_trie::{Atom, Budget, Index, LTrie, Op};

fn fill(index: &mut dyn Index, sets: &[Vec<Atom>]) {
    for (number, set) in sets.iter().enumerate() {
        index.insert_sat(set, payload(number));
        index.insert_unsat(set, payload(number));
    }
}

/// One trie of random sets, many queries; how many were found.
fn compare(seed: u64, stored: usize, queries: usize, sums: bool) -> (usize, usize) {
    let world = World::new();
    let mut random = Random::new(seed);
    let mut trie = LTrie::new();
    let known = sums.then_some(&world);
    let late = random.one_in(2);
    if sums && !late {
        world.define_all(&mut trie);
    }
    let (range, most) = (random.between(1, 5), 2 + random.below(5));
    let sets: Vec<Vec<Atom>> = (0..stored).map(|_| world.set(&mut random, most, range)).collect();
    fill(&mut trie, &sets);
    if sums && late {
        world.define_all(&mut trie);
    }
    let (mut sat, mut unsat) = (0, 0);
    for _ in 0..queries {
        let query = world.set(&mut random, 5, range);
        let found = trie.find_sat(&query, Budget::UNLIMITED);
        assert!(!found.cut_off);
        assert_eq!(found.hit.is_some(), naive_sat(&sets, &query, known), "sat, seed {seed}: {query:?}");
        if let Some(hit) = found.hit {
            let set = &sets[number(&hit.payload)];
            assert!(query.iter().all(|atom| set_implies(set, atom, known)));
            sat += 1;
        }
        let found = trie.find_unsat(&query, Budget::UNLIMITED);
        // Random sets are no cores. With sums, those that follow from bounds of variables alone need not be
        // found; of real cores all are, see below.
        let (least, most) = (naive_unsat(&sets, &query, None), naive_unsat(&sets, &query, known));
        let hit = found.hit.is_some();
        assert!(least <= hit && hit <= most, "unsat, seed {seed}: {query:?}");
        if let Some(hit) = found.hit {
            let used: Vec<Atom> = hit.used.iter().map(|&place| query[place as usize]).collect();
            let set = &sets[number(&hit.payload)];
            assert!(set.iter().all(|atom| set_implies(&used, atom, known)), "{query:?} {used:?} {set:?}");
            unsat += 1;
        }
    }
    (sat, unsat)
}

#[test]
fn equals_naive_search_without_sums() {
    let (mut sat, mut unsat) = (0, 0);
    for seed in 0..300 {
        let found = compare(seed, 1 + (seed as usize * 7) % 120, 40, false);
        sat += found.0;
        unsat += found.1;
    }
    // Of 12,000 queries a good part must be hits and a good part misses, or nothing was tested.
    assert!((1_000..11_000).contains(&sat) && (1_000..11_000).contains(&unsat), "{sat} {unsat}");
}

#[test]
fn equals_naive_search_with_sums() {
    let (mut sat, mut unsat) = (0, 0);
    for seed in 1_000..1_300 {
        let found = compare(seed, 1 + (seed as usize * 7) % 120, 40, true);
        sat += found.0;
        unsat += found.1;
    }
    assert!((1_000..11_000).contains(&sat) && (1_000..11_000).contains(&unsat), "{sat} {unsat}");
}

/// Thousands of cores of a few shapes, so that their tables have trees: dominance as naive search sees it.
#[test]
fn many_constants_of_few_shapes() {
    let ops = [Op::Le, Op::Ge, Op::Eq, Op::Ne];
    let (mut hits, mut misses) = (0, 0);
    for seed in 0..12 {
        let mut random = Random::for_index(12, seed);
        let width = 1 + random.below(4);
        let shape: Vec<Op> =
            (0..width).map(|_| ops[random.below(if seed % 3 == 0 { 4 } else { 2 })]).collect();
        let draw = |random: &mut Random, shape: &[Op]| -> Vec<Atom> {
            let row = shape.iter().enumerate();
            let mut row: Vec<Atom> =
                row.map(|(i, &op)| Atom { prefix: key(i), op, constant: random.between(-25, 25) }).collect();
            row.sort_unstable();
            row
        };
        let mut trie = LTrie::new();
        let mut sets: Vec<Vec<Atom>> = Vec::new();
        for round in 0..600 {
            // Weak cores answer nearly everything: only rows whose constants are strong together.
            let set = draw(&mut random, &shape);
            let strength = |atom: &Atom| if atom.op == Op::Ge { atom.constant } else { -atom.constant };
            if set.iter().map(strength).sum::<i64>() < 10 {
                continue;
            }
            assert_eq!(trie.insert_unsat(&set, payload(round)).changed(), !sets.contains(&set));
            sets.push(set);
            let query = draw(&mut random, &shape);
            let found = trie.find_unsat(&query, Budget::UNLIMITED);
            let expected = naive_unsat(&sets, &query, None);
            assert_eq!(found.hit.is_some(), expected, "seed {seed}: {query:?}");
            if expected { hits += 1 } else { misses += 1 }
        }
    }
    assert!(hits > 300 && misses > 300, "{hits} {misses}");
}

#[test]
fn the_order_of_storing_does_not_matter() {
    let world = World::new();
    for seed in 0..60 {
        let mut random = Random::for_index(7, seed);
        let mut sets: Vec<Vec<Atom>> = (0..60).map(|_| world.set(&mut random, 4, 3)).collect();
        let queries: Vec<Vec<Atom>> = (0..40).map(|_| world.set(&mut random, 4, 3)).collect();
        let mut answers = Vec::new();
        for _ in 0..3 {
            random.shuffle(&mut sets);
            let mut trie = LTrie::new();
            world.define_all(&mut trie);
            fill(&mut trie, &sets);
            fill(&mut trie, &sets); // storing again changes nothing
            let found = |query: &Vec<Atom>| {
                let sat = trie.find_sat(query, Budget::UNLIMITED).hit.is_some();
                (sat, trie.find_unsat(query, Budget::UNLIMITED).hit.is_some())
            };
            answers.push(queries.iter().map(found).collect::<Vec<_>>());
        }
        assert_eq!(answers[0], answers[1]);
        assert_eq!(answers[0], answers[2]);
    }
}

#[test]
fn every_hit_agrees_with_a_solver_and_no_core_is_missed() {
    let world = World::new();
    let mut z3 = WarmZ3::start(&world.declarations());
    let mut random = Random::new(42);
    let (mut sat, mut unsat, mut by_variables) = (0, 0, 0);
    for _ in 0..6 {
        let mut trie = LTrie::new();
        let mut cores = Vec::new();
        world.define_all(&mut trie);
        for number in 0..800 {
            let mut set = world.tight_set(&mut random, 4);
            if z3.set_is_sat(&world, &set) {
                trie.insert_sat(&set, payload(number));
            } else {
                // A core by deletion, as the caller would store it.
                for atom in set.clone() {
                    let rest: Vec<Atom> = set.iter().copied().filter(|other| *other != atom).collect();
                    if !z3.set_is_sat(&world, &rest) {
                        set = rest;
                    }
                }
                trie.insert_unsat(&set, payload(number));
                cores.push(set);
            }
        }
        for _ in 0..1_500 {
            let query =
                if random.one_in(2) { world.tight_set(&mut random, 4) } else { world.set(&mut random, 6, 4) };
            let found_sat = trie.find_sat(&query, Budget::UNLIMITED).hit;
            let found_unsat = trie.find_unsat(&query, Budget::UNLIMITED).hit;
            assert_eq!(found_unsat.is_some(), naive_unsat(&cores, &query, Some(&world)), "{query:?}");
            if found_sat.is_some() {
                assert!(z3.set_is_sat(&world, &query), "wrong sat: {query:?}");
                sat += 1;
            }
            if let Some(hit) = found_unsat {
                assert!(found_sat.is_none());
                let used: Vec<Atom> = hit.used.iter().map(|&place| query[place as usize]).collect();
                assert!(!z3.set_is_sat(&world, &used), "wrong unsat: {query:?} by {}", number(&hit.payload));
                unsat += 1;
                by_variables += usize::from(!naive_unsat(&cores, &query, None));
            }
        }
    }
    assert!(sat > 500 && unsat > 300 && by_variables > 20, "{sat} {unsat} {by_variables}");
}
