//! Simplices `a.x <= n`, whose vertices have the coefficients as indices: against Euler's recurrence for
//! the number of ways to pay.

use evergreen_count::{Budget, Count, Domain, Problem, Relation, count_with};
use evergreen_testing::random::Random;
use num_bigint::BigUint;

/// How many `x >= 0` have `a.x <= n`.
fn ways(coefficients: &[i64], n: usize) -> u128 {
    let mut exactly = vec![0u128; n + 1];
    exactly[0] = 1;
    for a in coefficients.iter().map(|a| *a as usize) {
        for sum in a..=n {
            exactly[sum] += exactly[sum - a];
        }
    }
    exactly.iter().sum()
}

fn check(coefficients: &[i64], n: usize, shift: i64) {
    let mut problem = Problem::new();
    let terms: Vec<(u32, i64)> =
        coefficients.iter().map(|a| (problem.variable(Domain::new(shift, shift + n as i64)), *a)).collect();
    let moved: i64 = coefficients.iter().sum::<i64>() * shift;
    problem.row(&terms, -(n as i64) - moved, Relation::Le);
    let (found, did) = count_with(&problem, Budget::default(), None);
    assert_eq!(found, Count::Exact(BigUint::from(ways(coefficients, n))), "{coefficients:?} {n} {shift}");
    // A wrong decomposition would be noticed, and the fallback would sum value by value.
    assert_eq!((did.decomposed, did.summed), (1, 0), "{coefficients:?} {n}");
}

#[test]
fn every_small_index() {
    // Up to 16 there are roots of unity of every order, up to 42 of some; from there on
    // cones are always decomposed.
    for index in 2..=64 {
        check(&[1, 1, index], 500, -7);
        check(&[index, index + 1, 2 * index + 1], 700, 3);
    }
}

/// `|x_1| + .. + |x_d| <= n`: any three of the facets at a vertex have a group that is
/// not cyclic, two times two.
#[test]
fn cross_polytopes() {
    for (d, n) in [(3, 1), (3, 2), (3, 100), (4, 3), (4, 77), (5, 12)] {
        let mut problem = Problem::new();
        (0..d).for_each(|_| _ = problem.variable(Domain::new(-n, n)));
        for signs in 0..1u32 << d {
            let terms: Vec<(u32, i64)> =
                (0..d).map(|v| (v, if signs >> v & 1 == 1 { 1 } else { -1 })).collect();
            problem.row(&terms, -n, Relation::Le);
        }
        let choose = |n: i64, k: i64| (0..k).fold(1i64, |c, i| c * (n - i) / (i + 1));
        let expected: i64 = (0..=i64::from(d)).map(|k| (1 << k) * choose(d.into(), k) * choose(n, k)).sum();
        let (found, did) = count_with(&problem, Budget::default(), None);
        assert_eq!(found, Count::Exact(BigUint::from(expected as u64)), "{d} {n}");
        assert_eq!((did.decomposed, did.summed), (1, 0), "{d} {n}");
    }
}

#[test]
fn coefficients_with_common_divisors() {
    for coefficients in
        [&[2, 2, 3][..], &[4, 6, 9], &[6, 10, 15], &[12, 12, 18, 5], &[4, 4, 4, 4, 1], &[36, 30, 24, 7]]
    {
        for n in [0, 1, 50, 777] {
            check_any(coefficients, n);
        }
    }
}

/// As [`check`], also where simplifying leaves nothing to decompose.
fn check_any(coefficients: &[i64], n: usize) {
    let mut problem = Problem::new();
    let terms: Vec<(u32, i64)> =
        coefficients.iter().map(|a| (problem.variable(Domain::new(0, n as i64)), *a)).collect();
    problem.row(&terms, -(n as i64), Relation::Le);
    let (found, did) = count_with(&problem, Budget::default(), None);
    assert_eq!(found, Count::Exact(BigUint::from(ways(coefficients, n))), "{coefficients:?} {n}");
    assert_eq!(did.summed, 0, "{coefficients:?} {n}");
}

#[test]
fn random_simplices() {
    let mut random = Random::new(1753);
    for _ in 0..600 {
        let d = 3 + random.below(5);
        let most = *random.choose(&[4, 16, 45, 120]);
        let coefficients: Vec<i64> = (0..d).map(|_| random.between(1, most)).collect();
        let n = random.below(3000) + 1;
        check_any(&coefficients, n);
    }
}
