//! Random small problems and the slow way to count.

pub(crate) mod table;

use evergreen_count::{Domain, Problem, Relation};
use evergreen_testing::random::Random;

/// A problem with few enough points to try them all.
pub(crate) fn random_problem(seed: u64, index: u64) -> Problem {
    let mut random = Random::for_index(seed, index);
    let variables = 1 + random.below(5);
    let width = [40, 16, 9, 6, 4][variables - 1];
    let mut problem = Problem::new();
    for _ in 0..variables {
        let lo = random.between(-6, 3);
        problem.variable(Domain::new(lo, lo + random.between(0, width)));
    }
    // Most rows hold at one point, so that most problems have solutions.
    let end = |e: &Option<evergreen_term::Int>| e.as_ref().and_then(|v| v.to_i64()).expect("a small domain");
    let point: Vec<i64> = problem.domains.iter().map(|d| random.between(end(&d.lo), end(&d.hi))).collect();
    let most = *random.choose(&[1, 3, 3, 9]);
    for _ in 0..1 + random.below(7) {
        let relation =
            *random.choose(&[Relation::Le, Relation::Le, Relation::Le, Relation::Ne, Relation::Eq]);
        if relation == Relation::Eq && random.one_in(2) {
            continue;
        }
        let mut terms = Vec::new();
        for var in 0..variables as u32 {
            if !random.one_in(3) {
                terms.push((var, random.between(-most, most)));
            }
        }
        let value: i64 = terms.iter().map(|(v, a)| a * point[*v as usize]).sum();
        let constant = match relation {
            _ if random.one_in(6) => random.between(-12, 8),
            Relation::Eq => -value,
            Relation::Ne => random.between(-4, 4),
            Relation::Le => -value - random.between(0, 4 + 2 * most),
        };
        problem.row(&terms, constant, relation);
    }
    problem
}

/// One of so few problems that parts come again.
#[allow(dead_code)] // not every test that shares this file needs all of it
pub(crate) fn tiny_problem(seed: u64, index: u64) -> Problem {
    let mut random = Random::for_index(seed, index);
    let mut problem = Problem::new();
    for _ in 0..3 {
        problem.variable(Domain::new(0, random.between(2, 3)));
    }
    for _ in 0..3 {
        let relation = *random.choose(&[Relation::Le, Relation::Ne, Relation::Ne]);
        let terms = [0, 1, 2].map(|var| (var, random.between(-1, 1)));
        problem.row(&terms, random.between(-2, 1), relation);
    }
    problem
}

/// Terms, constant, relation.
type PlainRow = (Vec<(usize, i64)>, i64, Relation);

/// Tries all points.
pub(crate) fn brute_force(problem: &Problem) -> u64 {
    let end = |e: &Option<evergreen_term::Int>| e.as_ref().and_then(|v| v.to_i64()).expect("a small domain");
    let ends: Vec<(i64, i64)> = problem.domains.iter().map(|d| (end(&d.lo), end(&d.hi))).collect();
    let rows: Vec<PlainRow> = problem
        .rows
        .iter()
        .map(|r| {
            let terms = r.terms.iter().map(|(v, a)| (*v as usize, a.to_i64().expect("small")));
            (terms.collect(), r.constant.to_i64().expect("small"), r.relation)
        })
        .collect();
    if ends.iter().any(|(lo, hi)| lo > hi) {
        return 0;
    }
    let mut point: Vec<i64> = ends.iter().map(|e| e.0).collect();
    let mut found = 0;
    loop {
        let holds = |(terms, constant, relation): &PlainRow| {
            let sum: i64 = terms.iter().map(|(v, a)| a * point[*v]).sum::<i64>() + constant;
            match relation {
                Relation::Eq => sum == 0,
                Relation::Ne => sum != 0,
                Relation::Le => sum <= 0,
            }
        };
        found += u64::from(rows.iter().all(holds));
        let Some(at) = (0..point.len()).find(|&at| point[at] < ends[at].1) else { return found };
        point[at] += 1;
        for lower in 0..at {
            point[lower] = ends[lower].0;
        }
    }
}
