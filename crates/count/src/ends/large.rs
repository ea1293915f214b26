//! Missing ends where numbers have more than 64 bits: directions and ends over the rationals, by
//! pivots in integers of any size.
//!
//! A direction in which every side falls strictly leads into a set that contains balls of any size, and so
//! infinitely many integer points: disequalities leave out none but lower-dimensional ones. With a direction
//! in which no side rises, one integer point is infinitely many; it is looked for within a box.

use super::Ends;
use crate::barvinok::has_point;
use crate::system::System;
use evergreen_term::Int;

/// Pivots that all questions together may take.
const PIVOTS: u64 = 20_000;
/// The longest end, in bits.
const LONGEST: u32 = 2_048;

/// `sum of coefficient * variable <= side`
type Side = (Vec<(u32, Int)>, Int);

fn sides(system: &System) -> Vec<Side> {
    let units = system.ranges.iter().enumerate().map(|(v, r)| (vec![(v as u32, Int::ONE)], r));
    let bands = system.bands.iter().map(|b| (b.form.clone(), &b.range));
    let mut all = Vec::new();
    for (form, range) in units.chain(bands) {
        if let Some(lo) = &range.lo {
            all.push((form.iter().map(|(v, a)| (*v, a.neg())).collect(), lo.neg()));
        }
        if let Some(hi) = &range.hi {
            all.push((form, hi.clone()));
        }
    }
    all
}

/// Whether rows over variables of any sign have a rational point in common.
fn satisfiable(variables: usize, rows: &[Side], left: &mut u64) -> Option<bool> {
    // Each variable is the difference of two that are not negative.
    let mut table = Vec::with_capacity(rows.len() * variables * 2);
    for (form, _) in rows {
        let mut row = vec![Int::ZERO; 2 * variables];
        for (v, a) in form {
            row[2 * *v as usize] = a.clone();
            row[2 * *v as usize + 1] = a.neg();
        }
        table.extend(row);
    }
    has_point(2 * variables, table, rows.iter().map(|(_, side)| side.clone()).collect(), left)
}

/// `sign * variable >= 2^bits`
fn beyond(var: usize, sign: i64, bits: u32) -> Side {
    let power = (0..bits).fold(Int::ONE, |power, _| power.add(&power));
    (vec![(var as u32, Int::from(-sign))], power.neg())
}

/// The least power of two that no rational point reaches in a direction.
fn end(variables: usize, rows: &mut Vec<Side>, var: usize, sign: i64, left: &mut u64) -> Option<Int> {
    let mut reaches = |bits: u32, left: &mut u64| {
        rows.push(beyond(var, sign, bits));
        let reached = satisfiable(variables, rows, left);
        rows.pop();
        reached
    };
    let mut bits = 1;
    while reaches(bits, left)? {
        bits *= 2;
        if bits > LONGEST {
            return None;
        }
    }
    let mut below = bits / 2;
    while below + 1 < bits {
        let middle = below.midpoint(bits);
        if reaches(middle, left)? { below = middle } else { bits = middle }
    }
    let (_, negative) = beyond(var, sign, bits);
    Some(if sign > 0 { negative.neg() } else { negative })
}

/// The system with ends where it has none, far out.
fn boxed(mut system: System, rows: &[Side]) -> System {
    let numbers = rows.iter().flat_map(|(form, side)| form.iter().map(|(_, a)| a).chain([side]));
    let bits = numbers.map(|n| n.to_big().bits()).max().unwrap_or(0);
    let (_, low) = beyond(0, 1, u32::try_from(bits).unwrap_or(LONGEST).min(LONGEST) + 8);
    for range in &mut system.ranges {
        range.lo.get_or_insert_with(|| low.clone());
        range.hi.get_or_insert_with(|| low.neg());
    }
    system
}

/// Finds ends for the ranges that have none.
pub(super) fn ends(mut system: System) -> Ends {
    let (variables, mut left) = (system.ranges.len(), PIVOTS);
    let mut rows = sides(&system);
    if satisfiable(variables, &rows, &mut left) == Some(false) {
        return Ends::Empty;
    }
    let with_sides =
        |side: Int| rows.iter().map(|(form, _)| (form.clone(), side.clone())).collect::<Vec<Side>>();
    let falling = with_sides(Int::ONE.neg());
    let mut level = with_sides(Int::ZERO);
    if satisfiable(variables, &falling, &mut left) == Some(true) {
        return Ends::Infinite;
    }
    for var in 0..variables {
        for sign in [1, -1] {
            level.push(beyond(var, sign, 0));
            let endless = satisfiable(variables, &level, &mut left);
            level.pop();
            match endless {
                Some(false) => {}
                Some(true) => return Ends::Endless(boxed(system, &rows)),
                None => return Ends::Unknown,
            }
        }
    }
    for var in 0..variables {
        for sign in [1, -1] {
            let range = &system.ranges[var];
            if (if sign > 0 { &range.hi } else { &range.lo }).is_some() {
                continue;
            }
            let Some(value) = end(variables, &mut rows, var, sign, &mut left) else { return Ends::Unknown };
            let range = &mut system.ranges[var];
            *(if sign > 0 { &mut range.hi } else { &mut range.lo }) = Some(value);
        }
    }
    Ends::Finite(system)
}

#[cfg(test)]
mod tests {
    use crate::{Budget, Count, Domain, Problem, Relation, Row, count};
    use evergreen_term::Int;
    use num_bigint::{BigInt, BigUint};

    fn power(bits: u32) -> Int {
        Int::from(BigInt::from(1) << bits)
    }

    fn row(terms: &[(u32, Int)], constant: Int) -> Row {
        Row { terms: terms.to_vec(), constant, relation: Relation::Le }
    }

    fn two(rows: &[Row]) -> Problem {
        let mut problem = Problem::new();
        for _ in 0..2 {
            problem.variable(Domain::ALL);
        }
        problem.rows.extend(rows.iter().cloned());
        problem
    }

    #[test]
    fn large_coefficients_have_ends() {
        // 0 <= 2^70 x + y <= 2^71 and 0 <= 2^70 x - y <= 2^71: at x = 1 |y| <= 2^70, at
        // x = 0 and x = 2 only y = 0.
        let (a, one, zero) = (power(70), Int::ONE, Int::ZERO);
        let mut rows = Vec::new();
        for y in [one.clone(), one.neg()] {
            rows.push(row(&[(0, a.neg()), (1, y.neg())], zero.clone()));
            rows.push(row(&[(0, a.clone()), (1, y)], power(71).neg()));
        }
        let expected = (BigUint::from(1u32) << 71) + 3u32;
        assert_eq!(count(&two(&rows), Budget::default()), Count::Exact(expected));
        // Without one of the sides there is no end.
        assert_eq!(count(&two(&rows[..3]), Budget::default()), Count::Unbounded);
        // Two sides of one form, and a lattice that has points between them; or none: 2 x 2^70 is never 2^70.
        let between = |middle: u32| {
            let form = |sign: &Int| [(0, power(71).mul(sign)), (1, power(72).mul(sign))];
            [row(&form(&one), power(middle).neg()), row(&form(&one.neg()), power(middle))]
        };
        assert_eq!(count(&two(&between(72)), Budget::default()), Count::Unbounded);
        assert_eq!(count(&two(&between(70)), Budget::default()), Count::Exact(BigUint::ZERO));
        // 2^70 (x - y) is at most -1 and not negative: no rational point.
        let empty =
            [row(&[(0, a.clone()), (1, a.neg())], one.clone()), row(&[(0, a.neg()), (1, a.clone())], zero)];
        assert_eq!(count(&two(&empty), Budget::default()), Count::Exact(BigUint::ZERO));
    }
}
