//! The canonical form does not depend on names, order, place or direction: problems are scrambled,
//! and a memo must find them.

use crate::common::table::Table;
use crate::common::{brute_force, random_problem, tiny_problem};
use evergreen_count::{Budget, Count, Domain, Problem, Relation, Row, count_with};
use evergreen_term::Int;
use evergreen_testing::random::Random;
use num_bigint::BigUint;

/// The same problem about renamed, moved and mirrored variables, its rows in another
/// order, negated and multiplied.
fn scrambled(problem: &Problem, random: &mut Random) -> Problem {
    let n = problem.domains.len();
    let mut names: Vec<u32> = (0..n as u32).collect();
    random.shuffle(&mut names);
    // x = sign * y + by
    let moves: Vec<(i64, i64)> =
        (0..n).map(|_| (if random.one_in(2) { 1 } else { -1 }, random.between(-50, 50))).collect();
    let mut domains = vec![Domain::ALL; n];
    for (var, domain) in problem.domains.iter().enumerate() {
        let (sign, by) = moves[var];
        let place = |v: &Int| v.sub(&Int::from(by)).mul(&Int::from(sign));
        let (lo, hi) = (domain.lo.as_ref().map(place), domain.hi.as_ref().map(place));
        domains[names[var] as usize] = if sign > 0 { Domain { lo, hi } } else { Domain { lo: hi, hi: lo } };
    }
    let mut rows: Vec<Row> = problem
        .rows
        .iter()
        .map(|row| {
            let times = match row.relation {
                Relation::Le => random.between(1, 3),
                _ => *random.choose(&[-2, -1, 1, 3]),
            };
            let mut constant = row.constant.clone();
            let mut terms: Vec<(u32, Int)> = Vec::new();
            for (var, a) in &row.terms {
                let (sign, by) = moves[*var as usize];
                constant = constant.add(&a.mul(&Int::from(by)));
                terms.push((names[*var as usize], a.mul(&Int::from(sign * times))));
            }
            random.shuffle(&mut terms);
            Row { terms, constant: constant.mul(&Int::from(times)), relation: row.relation }
        })
        .collect();
    random.shuffle(&mut rows);
    Problem { domains, rows }
}

/// Counts a problem and then scrambled ones: how many components of those were known,
/// and how many were asked for.
fn reused(problem: &Problem, random: &mut Random, copies: usize) -> (u64, u64) {
    let mut table = Table::default();
    let (found, _) = count_with(problem, Budget::default(), Some(&mut table));
    let stored = table.0.len();
    let mut known = 0;
    for _ in 0..copies {
        let copy = scrambled(problem, random);
        let (again, _) = count_with(&copy, Budget::default(), Some(&mut table));
        assert_eq!(found, again, "{problem:?}\n{copy:?}");
        if table.0.len() == stored {
            known += 1;
        } else {
            eprintln!("not known: {problem:?}\n{copy:?}");
            return (known, copies as u64);
        }
    }
    (known, copies as u64)
}

#[test]
fn scrambled_problems_are_known() {
    let mut random = Random::new(7);
    let (mut known, mut all) = (0, 0);
    for index in 0..1500 {
        let problem = if index % 3 == 0 { tiny_problem(11, index) } else { random_problem(11, index) };
        let (some, asked) = reused(&problem, &mut random, 8);
        (known, all) = (known + some, all + asked);
    }
    assert_eq!(known, all, "of scrambled problems so many were known");
}

/// Ties everywhere: all-different, cycles, and cycles with a chord.
#[test]
fn symmetric_problems_are_known() {
    let mut random = Random::new(8);
    for n in 3..8u32 {
        let mut graphs: Vec<Vec<(u32, u32)>> = Vec::new();
        graphs.push((0..n).flat_map(|x| (0..x).map(move |y| (x, y))).collect());
        graphs.push((0..n).map(|x| (x, (x + 1) % n)).collect());
        graphs.push((0..n).map(|x| (x, (x + 1) % n)).chain([(0, n / 2)]).collect());
        // A prism: two cycles and the edges between them.
        let around = |from: u32| (0..n).map(move |x| (from + x, from + (x + 1) % n));
        graphs.push(around(0).chain(around(n)).chain((0..n).map(|x| (x, n + x))).collect());
        for edges in graphs {
            let vertices = edges.iter().map(|e| e.0.max(e.1) + 1).max().unwrap_or(0);
            let mut problem = Problem::new();
            for _ in 0..vertices {
                problem.variable(Domain::new(0, 3));
            }
            for (x, y) in edges.into_iter().filter(|(x, y)| x != y) {
                problem.row(&[(x, 1), (y, -1)], 0, Relation::Ne);
            }
            let (known, asked) = reused(&problem, &mut random, 6);
            assert_eq!(known, asked, "{problem:?}");
        }
    }
}

/// Nearly the same is not the same: a number or a domain is changed, and the memo must miss.
#[test]
fn other_problems_are_not_taken_for_known() {
    let mut table = Table::default();
    for index in 0..1500 {
        let mut problem = tiny_problem(13, index);
        for (var, by) in [(0, 0), (0, 1), (1, 1), (2, -1)] {
            problem.domains[var].hi = problem.domains[var].hi.as_ref().map(|hi| hi.add(&Int::from(by)));
            problem.rows[var].constant = problem.rows[var].constant.add(&Int::from(by));
            let (found, _) = count_with(&problem, Budget::default(), Some(&mut table));
            assert_eq!(found, Count::Exact(BigUint::from(brute_force(&problem))), "{problem:?}");
        }
    }
}
