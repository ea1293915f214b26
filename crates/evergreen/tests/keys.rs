//! Queries that a solver tells apart never have one key.

use evergreen::smtlib::{print_declarations, print_term};
use evergreen::solver::{Command, Limits, PipeSolver, Problem, Solver, Verdict};
use evergreen::{CanonMode, Canonizer, TermId, Terms};
use evergreen_canon::split;
use evergreen_testing::queries::{Query, Writing, bits, linear};
use evergreen_testing::random::Random;
use evergreen_testing::tools;
use std::collections::HashMap;

/// Solves `count` random queries and compares the verdicts of those with equal keys. Returns how many shared
/// a key.
fn tell_apart(seed: u64, count: usize, make: fn(&mut Random) -> Query) -> usize {
    let mut random = Random::new(seed);
    let limits = Limits { time_ms: Some(2_000), memory_mb: None };
    let mut solver = PipeSolver::new(Command::new(tools::find("yices-smt2")), limits);
    let mut known: HashMap<[u8; 32], (Verdict, Query)> = HashMap::new();
    let mut shared = 0;
    for _ in 0..count {
        let mut query = make(&mut random);
        // Short queries meet each other more often.
        query.constraints.truncate(1 + random.below(3));
        let mut terms = Terms::new();
        let constraints = query.build(&mut terms, &mut Writing { random: None, prefix: "x".into() });
        let pieces: Vec<TermId> = constraints.iter().flat_map(|&c| split(&mut terms, c)).collect();
        let key = Canonizer::new(CanonMode::Full).canonize(&terms, &pieces).key;
        let problem = Problem {
            declarations: print_declarations(&terms, &constraints).unwrap(),
            constraints: constraints.iter().map(|&c| print_term(&terms, c)).collect(),
            ..Problem::default()
        };
        let verdict = solver.check(&problem).unwrap().verdict;
        if matches!(verdict, Verdict::Unknown(_)) {
            continue;
        }
        match known.get(&key) {
            Some((other, twin)) => {
                shared += 1;
                assert_eq!(*other, verdict, "one key, two verdicts:\n{query:?}\n{twin:?}");
            }
            None => drop(known.insert(key, (verdict, query))),
        }
    }
    shared
}

#[test]
fn linear_queries() {
    let shared = tell_apart(11, 6_000, linear);
    assert!(shared > 500, "only {shared} queries had a twin: the test would not notice much");
}

#[test]
fn bit_vector_and_array_queries() {
    let shared = tell_apart(12, 4_000, bits);
    assert!(shared > 200, "only {shared} queries had a twin: the test would not notice much");
}
