//! Every exact count equals the number of points that enumeration finds.

use crate::common::table::Table;
use crate::common::{brute_force, random_problem, tiny_problem};
use evergreen_count::{Budget, Confidence, Count, count_with};
use num_bigint::BigUint;

/// A share of what `cargo run --release -p evergreen-smt-count --example brute` runs.
#[test]
fn random_problems() {
    let mut nonzero = 0;
    for index in 0..3000 {
        let problem = random_problem(7, index);
        let expected = brute_force(&problem);
        let (found, did) = count_with(&problem, Budget::default(), None);
        assert_eq!(found, Count::Exact(BigUint::from(expected)), "problem {index}: {problem:?}");
        // A wrong decomposition would be noticed, and the fallback would sum value by value.
        assert_eq!(did.summed, 0, "problem {index}: {problem:?}");
        nonzero += u32::from(expected > 0);
    }
    assert!(nonzero > 1000, "only {nonzero} problems have solutions");
}

/// Out of budget there are bounds, and they hold.
#[test]
fn small_budgets() {
    let (mut bounded, mut summed) = (0, 0);
    for index in 0..1500 {
        let problem = random_problem(11, index);
        let expected = BigUint::from(brute_force(&problem));
        for steps in [0, 3, 10, 16, 24] {
            let (found, did) = count_with(&problem, Budget { steps }, None);
            summed += did.summed;
            match found {
                Count::Exact(found) => assert_eq!(found, expected, "problem {index}: {problem:?}"),
                Count::Bounds { lo, hi, confidence } => {
                    bounded += 1;
                    assert_eq!(confidence, Confidence::Certain);
                    assert!(
                        lo <= expected && expected <= hi,
                        "problem {index}: {problem:?}: {lo}..{hi} {expected}"
                    );
                }
                other => panic!("problem {index}: {problem:?}: {other:?}"),
            }
        }
    }
    assert!(bounded > 100, "only {bounded} bounds");
    assert!(summed > 100, "only {summed} parts were added up value by value");
}

/// The counts that one problem leaves in a memo are right for the others.
#[test]
fn one_memo_for_all() {
    let mut table = Table::default();
    let mut reused = 0;
    for index in 0..4000 {
        let problem = tiny_problem(5, index);
        let (found, did) = count_with(&problem, Budget::default(), Some(&mut table));
        reused += did.reused;
        let expected = Count::Exact(BigUint::from(brute_force(&problem)));
        assert_eq!(found, expected, "problem {index}: {problem:?}");
    }
    assert!(reused > 500, "only {reused} parts were reused");
}
