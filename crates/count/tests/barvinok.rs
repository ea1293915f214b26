//! Larger problems, with the numbers that barvinok (through isl) found for them.
//!
//! `barvinok.txt` has a number, a tab and an isl set per line. `evergreen-lab bench count --problems 45
//! --runs-ms 1` asks barvinok for a thousand more.

use evergreen_count::{Budget, Count, Domain, Problem, Relation, Row, count};
use evergreen_term::Int;
use num_bigint::BigUint;

fn number(text: &str) -> Int {
    Int::parse(text.trim()).unwrap_or_else(|| panic!("{text:?} is no number"))
}

fn variable(text: &str) -> u32 {
    text.trim()
        .strip_prefix('x')
        .and_then(|n| n.parse().ok())
        .unwrap_or_else(|| panic!("{text:?} is no variable"))
}

/// Reads the sets that the example writes.
fn problem(set: &str) -> Problem {
    let (names, constraints) = set.split_once("] : ").expect("variables and constraints");
    let mut problem = Problem::new();
    for _ in names.split(',') {
        problem.variable(Domain::ALL);
    }
    for constraint in constraints.trim_end_matches(" }").split(" and ") {
        if let [lo, name, hi] = constraint.split(" <= ").collect::<Vec<_>>()[..] {
            let domain = Domain { lo: Some(number(lo)), hi: Some(number(hi)) };
            problem.restrict(variable(name), &domain);
            continue;
        }
        let relations = [(" != ", Relation::Ne), (" <= ", Relation::Le), (" = ", Relation::Eq)];
        let (sign, relation) =
            relations.into_iter().find(|(s, _)| constraint.contains(s)).expect("a relation");
        let sum = constraint.split(sign).next().expect("a sum");
        let mut row = Row { terms: Vec::new(), constant: Int::ZERO, relation };
        for part in sum.split(" + ") {
            match part.split_once('*') {
                Some((a, name)) => row.terms.push((variable(name), number(a))),
                None => row.constant = number(part),
            }
        }
        problem.rows.push(row);
    }
    problem
}

#[test]
fn the_same_numbers() {
    let lines: Vec<&str> = include_str!("barvinok.txt").lines().collect();
    assert_eq!(lines.len(), 56);
    for line in lines {
        let (expected, set) = line.split_once('\t').expect("number, tab, set");
        let expected: BigUint = expected.parse().expect("a number");
        assert_eq!(count(&problem(set), Budget::default()), Count::Exact(expected), "{set}");
    }
}
