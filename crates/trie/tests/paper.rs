//! The L-Trie as printed: the paper's examples, its definitions by naive search, and where its Algorithm 1
//! finds less than its Definition 1.

use evergreen_testing::random::Random;
use evergreen_trie::{Atomic, Op, PaperTrie, Payload, reduce_as_printed};

fn atomic(prefix: &str, constant: i64, op: Op) -> Atomic {
    Atomic::new(prefix, constant, op)
}

fn texts(set: &[Atomic]) -> Vec<String> {
    reduce_as_printed(set).unwrap().iter().map(|(a, _)| a.text().to_string()).collect()
}

#[test]
fn the_example_of_the_reduction() {
    let p = "x+y";
    let set = [
        atomic(p, 3, Op::Ge),
        atomic(p, 5, Op::Ge),
        atomic(p, -4, Op::Le),
        atomic(p, 0, Op::Ne),
        atomic(p, 6, Op::Ne),
        atomic(p, -4, Op::Ne),
    ];
    assert_eq!(texts(&set), ["x+y!=0", "x+y+3>=0", "x+y-3<=0"]);
    // "x >= 0 makes x != -2 redundant"; "x = 0 conflicts with x >= 3"
    assert_eq!(texts(&[atomic("x", 0, Op::Ge), atomic("x", 2, Op::Ne)]), ["x>=0"]);
    let conflict =
        reduce_as_printed(&[atomic("y", 1, Op::Le), atomic("x", 0, Op::Eq), atomic("x", -3, Op::Ge)]);
    assert_eq!(conflict, Err(vec![1, 2]));
    // What is no comparison stays, once.
    let odd = atomic(" (Or v0 v1)", 0, Op::Holds);
    assert_eq!(texts(&[odd.clone(), atomic("x", 0, Op::Ge), odd]), [" (Or v0 v1)", "x>=0"]);
    // Not reduced: other prefixes.
    let sums = [atomic("x+y", 1, Op::Le), atomic("x", -2, Op::Ge), atomic("y", -2, Op::Ge)];
    assert_eq!(texts(&sums).len(), 3);
    // The ends of the machine's numbers.
    let far = [atomic("x", i64::MIN, Op::Le), atomic("x", i64::MAX, Op::Ge)];
    assert_eq!(texts(&far).len(), 2);
}

fn payload(number: usize) -> Payload {
    Payload::from(number.to_le_bytes().as_slice())
}

#[test]
fn the_examples_of_the_introduction() {
    let mut trie = PaperTrie::default();
    // x > 0 is satisfiable, so x > -1 is.
    trie.insert_sat(&[atomic("v0", -1, Op::Ge)], payload(1));
    assert_eq!(trie.find_sat(&[atomic("v0", 0, Op::Ge)]), Some(payload(1)));
    assert_eq!(trie.find_sat(&[atomic("v0", -2, Op::Ge)]), None);
    // x < 0, x > 1 is unsatisfiable, so x < -1, x > 2 is. (Reduction would find it; the trie does, too.)
    trie.insert_unsat(&[atomic("v0", 1, Op::Le), atomic("v0", -2, Op::Ge)]);
    let stronger = [atomic("v0", 2, Op::Le), atomic("v0", -3, Op::Ge)];
    assert_eq!(trie.find_unsat(&stronger), Some(vec![0, 1]));
    assert_eq!(trie.find_unsat(&[atomic("v0", 0, Op::Le), atomic("v0", -3, Op::Ge)]), None);
}

/// Definition 1 by the meaning of comparisons: whether every value that satisfies `a` satisfies `b`.
fn means(a: &Atomic, b: &Atomic) -> bool {
    let holds = |c: &Atomic, value: i64| match c.op {
        Op::Le => value + c.constant <= 0,
        Op::Ge => value + c.constant >= 0,
        Op::Eq => value + c.constant == 0,
        Op::Ne => value + c.constant != 0,
        Op::Holds => unreachable!(),
    };
    a.prefix() == b.prefix() && (-60..60).all(|value| !holds(a, value) || holds(b, value))
}

fn is_logical_subset(small: &[Atomic], large: &[Atomic]) -> bool {
    small.iter().all(|x| large.iter().any(|y| means(y, x)))
}

fn random_set(random: &mut Random) -> Vec<Atomic> {
    let count = 1 + random.below(4);
    let one = |random: &mut Random| {
        let prefix = ["v0", "v1", "v0+v1", "2v0"][random.below(4)];
        let op = [Op::Le, Op::Ge, Op::Eq, Op::Ne][random.below(4)];
        atomic(prefix, random.between(-12, 12), op)
    };
    loop {
        let set: Vec<Atomic> = (0..count).map(|_| one(random)).collect();
        if let Ok(reduced) = reduce_as_printed(&set) {
            return reduced.into_iter().map(|(atomic, _)| atomic).collect();
        }
    }
}

#[test]
fn algorithms_against_the_definitions() {
    let (mut subsets, mut supersets, mut missed) = (0, 0, 0);
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let sets: Vec<Vec<Atomic>> = (0..40).map(|_| random_set(&mut random)).collect();
        let mut trie = PaperTrie::default();
        for (number, set) in sets.iter().enumerate() {
            trie.insert_sat(set, payload(number));
            trie.insert_unsat(set);
        }
        for _ in 0..60 {
            let query = random_set(&mut random);
            // Algorithm 2 finds all that Definition 1 has.
            let used = trie.find_unsat(&query);
            let expected = sets.iter().any(|set| is_logical_subset(set, &query));
            assert_eq!(used.is_some(), expected, "seed {seed}: {query:?}");
            if let Some(used) = used {
                let used: Vec<Atomic> = used.iter().map(|&place| query[place as usize].clone()).collect();
                assert!(sets.iter().any(|set| is_logical_subset(set, &used)));
                subsets += 1;
            }
            // Algorithm 1 finds none that Definition 1 has not, and its solution is of such a set.
            let expected = sets.iter().any(|set| is_logical_subset(&query, set));
            match trie.find_sat(&query) {
                Some(found) => {
                    let number = usize::from_le_bytes(found[..].try_into().unwrap());
                    assert!(is_logical_subset(&query, &sets[number]), "seed {seed}: {query:?}");
                    supersets += 1;
                }
                None => missed += usize::from(expected),
            }
        }
    }
    assert!(subsets > 100 && supersets > 100, "{subsets} {supersets}");
    assert!((1..supersets / 4).contains(&missed), "{missed} of {supersets}: the order of texts matters");
}

#[test]
fn algorithm_1_misses_what_stands_in_another_order() {
    let mut trie = PaperTrie::default();
    trie.insert_sat(&[atomic("v0", -3, Op::Ge), atomic("v0", -5, Op::Le)], payload(0));
    // 3 <= v0 <= 20 is implied by 3 <= v0 <= 5, and "v0-20<=0" comes before "v0-3>=0".
    assert_eq!(trie.find_sat(&[atomic("v0", -3, Op::Ge), atomic("v0", -20, Op::Le)]), None);
    assert!(trie.find_sat(&[atomic("v0", -3, Op::Ge), atomic("v0", -6, Op::Le)]).is_some());
}

#[test]
fn storing_keeps_the_longer_satisfiable_and_the_shorter_unsatisfiable_set() {
    let (a, b) = (atomic("v0", 5, Op::Ge), atomic("v0+v1", 0, Op::Le));
    for both_first in [true, false] {
        let mut trie = PaperTrie::default();
        let sets: [&[Atomic]; 2] = [std::slice::from_ref(&a), &[a.clone(), b.clone()]];
        let order = if both_first { [1, 0] } else { [0, 1] };
        for number in order {
            trie.insert_sat(sets[number], payload(number));
            trie.insert_unsat(sets[number]);
        }
        assert_eq!(trie.sets(), (1, 1));
        assert_eq!(trie.find_sat(sets[0]), Some(payload(1)));
        assert_eq!(trie.find_unsat(sets[0]), Some(vec![0]));
    }
}
