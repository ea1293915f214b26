//! Several cores refute a query together: as naive propagation does, and never what a
//! solver finds satisfiable.

use crate::common::{WarmZ3, World, key, naive_unsat, payload, set_implies};
use evergreen_testing::random::Random;
use evergreen_trie::{Atom, Budget, Definitions, Index, LTrie, Op, Reduction, reduce};

fn refuted(trie: &mut LTrie, query: &[Atom]) -> Option<Vec<Atom>> {
    let used = trie.refute(query, Budget::UNLIMITED).used?;
    Some(used.iter().map(|&place| query[place as usize]).collect())
}

fn trie_of(cores: &[&[Atom]]) -> LTrie {
    let mut trie = LTrie::new();
    for (number, core) in cores.iter().enumerate() {
        let mut core = core.to_vec();
        core.sort_unstable();
        trie.insert_unsat(&core, payload(number));
    }
    trie
}

fn sorted(atoms: &[Atom]) -> Vec<Atom> {
    let mut atoms = atoms.to_vec();
    atoms.sort_unstable();
    atoms
}

/// The branch `if (p <= 0)` was removed; the code after it was refuted under either arm.
#[test]
fn what_both_arms_of_a_branch_refute_is_refuted_without_it() {
    let (p, q, r, s) = (key(0), key(1), Atom::holds(key(2)), Atom::holds(key(3)));
    let mut trie = trie_of(&[&[Atom::le(p, 0), r, Atom::ne(q, 7)], &[Atom::ge(p, 1), r, Atom::le(q, 9)]]);
    let query = sorted(&[r, Atom::eq(q, 5), s]);
    assert_eq!(trie.find_unsat(&query, Budget::UNLIMITED).hit, None, "no core alone refutes it");
    assert_eq!(refuted(&mut trie, &query), Some(sorted(&[r, Atom::eq(q, 5)])), "and `s` is no reason");
    // Either core alone, or without one of the reasons: nothing.
    assert_eq!(refuted(&mut trie, &sorted(&[Atom::eq(q, 5), s])), None);
    assert_eq!(refuted(&mut trie, &sorted(&[r, Atom::eq(q, 7)])), None);
    assert_eq!(refuted(&mut trie, &sorted(&[r, Atom::eq(q, 12)])), None);
    assert_eq!(refuted(&mut trie_of(&[&[Atom::le(p, 0), r]]), &[r]), None);
    // The arms have a gap: p = 1 is in none.
    let mut trie = trie_of(&[&[Atom::le(p, 0), r], &[Atom::ge(p, 2), r]]);
    assert_eq!(refuted(&mut trie, &[r]), None);
    assert_eq!(refuted(&mut trie, &sorted(&[r, Atom::ne(p, 1)])), Some(sorted(&[r, Atom::ne(p, 1)])));
}

#[test]
fn facts_make_chains_and_reasons_are_led_back() {
    let atom = |n: usize| Atom::le(key(n), 0);
    let not = |n: usize| Atom::ge(key(n), 1);
    // 0 makes 1 false, that makes 2 true, which makes 3 false; then the last core has nothing left.
    let mut trie =
        trie_of(&[&[atom(0), atom(1)], &[not(1), not(2)], &[atom(2), atom(3)], &[not(3), atom(4)]]);
    let query = sorted(&[atom(0), atom(4), Atom::eq(key(9), 3)]);
    assert_eq!(refuted(&mut trie, &query), Some(sorted(&[atom(0), atom(4)])));
    assert_eq!(refuted(&mut trie, &sorted(&[atom(0), Atom::eq(key(9), 3)])), None);
    assert_eq!(trie.refute(&query, Budget(2)).used, None, "out of budget nothing is said");
}

/// At the ends of the range of constants nothing has a negation, so nothing follows.
#[test]
fn constants_at_the_ends_do_not_wrap_around() {
    let (p, r) = (key(0), Atom::holds(key(1)));
    let ends = [Atom::le(p, i64::MAX), Atom::ge(p, i64::MIN)];
    for end in ends {
        let mut trie = trie_of(&[&[end, r], &[Atom::le(p, 5), Atom::ge(p, 4)]]);
        assert_eq!(refuted(&mut trie, &[r]), None);
    }
}

fn negation(atom: &Atom) -> Option<Atom> {
    match atom.op {
        Op::Le => Some(Atom::ge(atom.prefix, atom.constant + 1)),
        Op::Ge => Some(Atom::le(atom.prefix, atom.constant - 1)),
        Op::Eq => Some(Atom::ne(atom.prefix, atom.constant)),
        Op::Ne => Some(Atom::eq(atom.prefix, atom.constant)),
        Op::Holds => None,
    }
}

/// Propagation over all sets, by enumeration of values, without any index.
fn naive(cores: &[Vec<Atom>], query: &[Atom]) -> bool {
    let mut facts = query.to_vec();
    loop {
        match reduce(&facts, &Definitions::default()) {
            Reduction::Conflict(_) => return true,
            Reduction::Reduced(reduced) => facts = reduced.atoms().to_vec(),
        }
        let mut fact = None;
        for core in cores {
            let left: Vec<&Atom> = core.iter().filter(|atom| !set_implies(&facts, atom, None)).collect();
            match left[..] {
                [] => return true,
                [last] => {
                    fact = fact.or(negation(last).filter(|fact| !set_implies(&facts, fact, None)));
                }
                _ => {}
            }
        }
        match fact {
            Some(fact) => facts.push(fact),
            None => return false,
        }
    }
}

#[test]
fn equals_naive_propagation() {
    let world = World::new();
    let (mut hits, mut misses, mut alone) = (0, 0, 0);
    for seed in 0..400 {
        let mut random = Random::for_index(31, seed);
        let mut sets: Vec<Vec<Atom>> =
            (0..12 + seed as usize % 12).map(|_| world.set(&mut random, 3, 2)).collect();
        // A core over one prefix is watched there only.
        sets.retain(|set| set.iter().any(|atom| atom.prefix != set[0].prefix));
        // Of one shape only a few rows are looked at, and few facts are derived: here there are no more.
        let mut trie = trie_of(&sets.iter().map(|set| &set[..]).collect::<Vec<_>>());
        for _ in 0..20 {
            let query = world.set(&mut random, 6, 2);
            let expected = naive(&sets, &query);
            let found = refuted(&mut trie, &query);
            assert_eq!(found.is_some(), expected, "seed {seed}: {query:?}");
            if let Some(used) = &found {
                assert!(naive(&sets, used), "the reasons are not enough: {used:?} of {query:?}");
            }
            hits += usize::from(expected);
            misses += usize::from(!expected);
            alone += usize::from(naive_unsat(&sets, &query, None));
        }
    }
    assert!(hits > alone + 300 && misses > 2_000, "{hits} hits, {alone} by one set alone, {misses} misses");
}

/// Real cores over sums and variables; z3 checks each refutation that they give together.
#[test]
fn every_refutation_agrees_with_a_solver() {
    let world = World::new();
    let mut z3 = WarmZ3::start(&world.declarations());
    let mut random = Random::new(77);
    let (mut together, mut misses) = (0, 0);
    for _ in 0..6 {
        let mut trie = LTrie::new();
        world.define_all(&mut trie);
        for number in 0..300 {
            let mut set = world.tight_set(&mut random, 3);
            if z3.set_is_sat(&world, &set) {
                continue;
            }
            for atom in set.clone() {
                let rest: Vec<Atom> = set.iter().copied().filter(|other| *other != atom).collect();
                if !z3.set_is_sat(&world, &rest) {
                    set = rest;
                }
            }
            trie.insert_unsat(&set, payload(number));
        }
        for _ in 0..1_500 {
            let query = world.tight_set(&mut random, 4);
            let Some(used) = refuted(&mut trie, &query) else {
                misses += 1;
                continue;
            };
            assert!(!z3.set_is_sat(&world, &used), "wrong unsat: {used:?} of {query:?}");
            together += usize::from(trie.find_unsat(&query, Budget::UNLIMITED).hit.is_none());
        }
    }
    assert!(together > 300 && misses > 300, "{together} by several cores, {misses} misses");
}
