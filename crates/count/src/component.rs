//! Counters of the caller's own: LattE, barvinok, anything that counts integer points.
//!
//! A question is cut into components, and each is looked up under its canonical form, as for our own counter;
//! what is not known goes to the other one. [Visser FSE'12] counts with LattE in this way.

use crate::form::form;
use crate::memo::{Memo, Rank};
use crate::parts::{Parts, parts};
use crate::problem::{Budget, Count, Domain, Problem, Relation, Row};
use crate::range::Range;
use crate::system::System;
use evergreen_term::Int;
use num_bigint::BigUint;

/// Counts the solutions of a conjunction of linear rows.
///
/// What it must guarantee: an exact count is the number of solutions, and bounds hold. Nothing of that is
/// checked, since checking is counting; so the counts of a counter are stored under its name, and only it
/// reads them.
pub trait Counter {
    /// Its name and version: part of the key of every count that it makes.
    fn name(&self) -> &str;

    /// The number of solutions. A program that failed, or took too long, has given up.
    fn count(&mut self, problem: &Problem, budget: Budget) -> Count;
}

/// Counts the solutions with a counter: each component from the memo where it is known.
pub fn count_by(
    counter: &mut dyn Counter,
    problem: &Problem,
    budget: Budget,
    mut memo: Option<&mut dyn Memo>,
) -> Count {
    let mut system = match System::of(problem) {
        Ok(system) => system,
        Err(why) => return Count::GaveUp(why),
    };
    if system.merge().is_err() {
        return Count::Exact(BigUint::ZERO);
    }
    let Parts { free, connected } = parts(system);
    let mut product = Count::Exact(BigUint::from(1u32));
    for range in free {
        let size = range
            .size()
            .map_or(Count::Unbounded, |n| Count::Exact(n.to_big().to_biguint().unwrap_or(BigUint::ZERO)));
        product = product.times(&size);
    }
    for component in connected {
        if product == Count::Exact(BigUint::ZERO) {
            break;
        }
        let form = form(&component);
        let known = memo.as_mut().and_then(|memo| memo.get(&form, Rank::Component));
        let count = match known {
            Some(known) => Count::Exact(known),
            None => {
                let count = counter.count(&problem_of(&component), budget);
                if let (Some(memo), Count::Exact(n)) = (memo.as_mut(), &count) {
                    memo.put(&form, Rank::Component, n);
                }
                count
            }
        };
        product = product.times(&count);
    }
    product
}

/// A component as a question.
fn problem_of(system: &System) -> Problem {
    let mut problem = Problem::new();
    for range in &system.ranges {
        let var = problem.variable(Domain { lo: range.lo.clone(), hi: range.hi.clone() });
        put(&mut problem, &[(var, Int::ONE)], &Range { lo: None, hi: None, holes: range.holes.clone() });
    }
    for band in &system.bands {
        put(&mut problem, &band.form, &band.range);
    }
    problem
}

/// The rows that say that a sum lies in a range.
fn put(problem: &mut Problem, sum: &[(u32, Int)], range: &Range) {
    let row = |sign: i64, bound: &Int, relation: Relation| {
        let factor = Int::from(sign);
        let terms = sum.iter().map(|(v, a)| (*v, a.mul(&factor))).collect();
        Row { terms, constant: bound.mul(&factor).neg(), relation }
    };
    match (&range.lo, &range.hi) {
        (Some(lo), Some(hi)) if lo == hi => problem.rows.push(row(1, lo, Relation::Eq)),
        (lo, hi) => {
            problem.rows.extend(hi.iter().map(|hi| row(1, hi, Relation::Le)));
            problem.rows.extend(lo.iter().map(|lo| row(-1, lo, Relation::Le)));
        }
    }
    problem.rows.extend(range.holes.iter().map(|hole| row(1, hole, Relation::Ne)));
}
