//! Keys do not depend on how a query is written.

use evergreen_canon::{Canonizer, KeyBytes, Mode, split};
use evergreen_term::{Fun, SortId, TermId, Terms};
use evergreen_testing::queries::{self, Query, Writing};
use evergreen_testing::random::Random;

fn key(terms: &mut Terms, canonizer: &mut Canonizer, constraints: &[TermId]) -> KeyBytes {
    let pieces: Vec<TermId> = constraints.iter().flat_map(|&c| split(terms, c)).collect();
    canonizer.canonize(terms, &pieces).key
}

/// Writes each query twenty ways, each in an arena of its own, and compares the keys.
fn scramble(seed: u64, count: usize, make: fn(&mut Random) -> Query) {
    let mut random = Random::new(seed);
    for n in 0..count {
        let query = make(&mut random);
        let mut terms = Terms::new();
        let plain = query.build(&mut terms, &mut Writing { random: None, prefix: "x".into() });
        let expected = key(&mut terms, &mut Canonizer::new(Mode::Full), &plain);
        for way in 0..20 {
            let mut terms = Terms::new();
            // Other terms first, so that ids differ too.
            for i in 0..way % 3 {
                terms.constant(&format!("noise{i}"), SortId::INT);
            }
            let mut writing = Writing { random: Some(&mut random), prefix: format!("{way}_") };
            let other = query.build(&mut terms, &mut writing);
            let found = key(&mut terms, &mut Canonizer::new(Mode::Full), &other);
            assert_eq!(found, expected, "query {n} of seed {seed}, writing {way}: {query:?}");
        }
    }
}

#[test]
fn linear_queries_have_one_key() {
    scramble(1, 5_000, queries::linear);
}

#[test]
fn bit_vector_and_array_queries_have_one_key() {
    scramble(2, 5_000, queries::bits);
}

fn all_different(names: &[usize], pairwise: bool) -> KeyBytes {
    let mut terms = Terms::new();
    let vars: Vec<TermId> = names.iter().map(|n| terms.constant(&format!("v{n}"), SortId::INT)).collect();
    let mut constraints = Vec::new();
    if pairwise {
        for i in 0..vars.len() {
            for j in 0..i {
                constraints.push(terms.app(Fun::Distinct, &[vars[i], vars[j]]).unwrap());
            }
        }
    } else {
        constraints.push(terms.app(Fun::Distinct, &vars).unwrap());
    }
    let canonical = Canonizer::new(Mode::Full).canonize(&terms, &constraints);
    assert!(canonical.complete, "24 all-different variables are within the budget");
    canonical.key
}

#[test]
fn symmetric_queries_are_numbered_completely() {
    let straight: Vec<usize> = (0..24).collect();
    let mut shuffled = straight.clone();
    Random::new(3).shuffle(&mut shuffled);
    for pairwise in [false, true] {
        assert_eq!(all_different(&straight, pairwise), all_different(&shuffled, pairwise));
    }
}

/// Past the budget the key may depend on the writing, but it is found in bounded work and
/// stays complete as a form.
#[test]
fn hopelessly_symmetric_queries_are_cut_short() {
    let mut terms = Terms::new();
    // Disjoint 3-cycles of disequalities: many automorphisms that refinement cannot see through.
    let mut constraints = Vec::new();
    for c in 0..60 {
        let v: Vec<TermId> = (0..3).map(|i| terms.constant(&format!("c{c}_{i}"), SortId::INT)).collect();
        for i in 0..3 {
            constraints.push(terms.app(Fun::Distinct, &[v[i], v[(i + 1) % 3]]).unwrap());
        }
    }
    let all: Vec<TermId> = (0..60).map(|c| terms.constant(&format!("c{c}_0"), SortId::INT)).collect();
    let sum = terms.app(Fun::Add, &all).unwrap();
    let zero = terms.int(0);
    constraints.push(terms.app(Fun::Ge, &[sum, zero]).unwrap());
    let canonical = Canonizer::new(Mode::Full).canonize(&terms, &constraints);
    assert_eq!(canonical.leaves.len(), 180);
    assert_eq!(canonical.constraints.len(), 181);
}

/// Ties of twins, of classes of twins that change places as a whole, and of leaves that change places only
/// together.
#[test]
fn queries_with_twins_have_one_key() {
    scramble(5, 1_000, queries::twins);
}
