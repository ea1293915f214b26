//! Both arms of a branch for one count.
//!
//! `#(path and not c) = #path - #(path and c)`: on a path whose number is known, one more count gives both
//! arms. Of `=` and `!=` the equality is counted, for it has a variable less. Here too: numbers of
//! disjoint and of independent sets.

use crate::counter::count_with;
use crate::memo::Memo;
use crate::problem::{Budget, Confidence, Count, Problem, Relation, Row};
use num_bigint::BigUint;

/// A path condition and its number of solutions.
#[derive(Clone, PartialEq, Debug)]
pub struct Path {
    /// The path condition.
    pub problem: Problem,
    /// Its number of solutions.
    pub count: Count,
}

/// The numbers of both arms of a branch.
#[derive(Clone, PartialEq, Debug)]
pub struct Arms {
    /// Solutions of the path for which the constraint holds.
    pub holds: Count,
    /// Solutions of the path for which it does not.
    pub fails: Count,
}

impl Path {
    /// Counts a path condition to start from.
    pub fn new(problem: Problem, budget: Budget, memo: Option<&mut dyn Memo>) -> Path {
        let count = count_with(&problem, budget, memo).0;
        Path { problem, count }
    }

    /// Counts both arms of a branch on `row`.
    pub fn branch(&self, row: &Row, budget: Budget, mut memo: Option<&mut dyn Memo>) -> Arms {
        let mut arm = |row: Row| {
            let mut problem = self.problem.clone();
            problem.rows.push(row);
            match &mut memo {
                Some(memo) => count_with(&problem, budget, Some(&mut **memo)).0,
                None => count_with(&problem, budget, None).0,
            }
        };
        let direct = row.relation != Relation::Ne;
        let first = arm(if direct { row.clone() } else { row.negated() });
        let second = match complement(&self.count, &first) {
            exact @ Count::Exact(_) => exact,
            // The other arm may be easier than this one.
            _ => arm(if direct { row.negated() } else { row.clone() }),
        };
        if direct { Arms { holds: first, fails: second } } else { Arms { holds: second, fails: first } }
    }

    /// The path on which `row` holds, whose number [`Path::branch`] found.
    pub fn extended(&self, row: Row, count: Count) -> Path {
        let mut problem = self.problem.clone();
        problem.rows.push(row);
        Path { problem, count }
    }
}

/// The number of a set without a subset, from the numbers of both.
pub fn complement(whole: &Count, part: &Count) -> Count {
    let minus = |a: &BigUint, b: &BigUint| if a > b { a - b } else { BigUint::ZERO };
    match (whole, part) {
        (Count::Exact(whole), Count::Exact(part)) if part <= whole => Count::Exact(whole - part),
        (Count::Exact(_), Count::Exact(_)) => Count::GaveUp("a part is larger than its whole".to_string()),
        // An infinite number minus a finite one is infinite.
        (Count::Unbounded, Count::Exact(_)) => Count::Unbounded,
        (Count::Unbounded, Count::Bounds { confidence: Confidence::Certain, .. }) => Count::Unbounded,
        _ => match (whole.ends(), part.ends()) {
            (Some((lo, hi, sure)), Some((least, most, part_sure))) => {
                Count::Bounds { lo: minus(lo, most), hi: minus(hi, least), confidence: both(sure, part_sure) }
            }
            _ => Count::GaveUp("the numbers of the whole and of the part are not both known".to_string()),
        },
    }
}

impl Count {
    /// Both ends, and how sure they are.
    fn ends(&self) -> Option<(&BigUint, &BigUint, Confidence)> {
        match self {
            Count::Exact(n) => Some((n, n, Confidence::Certain)),
            Count::Bounds { lo, hi, confidence } => Some((lo, hi, *confidence)),
            _ => None,
        }
    }

    fn is_zero(&self) -> bool {
        *self == Count::Exact(BigUint::ZERO)
    }

    fn between(lo: BigUint, hi: BigUint, confidence: Confidence) -> Count {
        if lo == hi && confidence == Confidence::Certain {
            Count::Exact(lo)
        } else {
            Count::Bounds { lo, hi, confidence }
        }
    }

    /// The number of solutions of two sets that have none in common.
    pub fn plus(&self, other: &Count) -> Count {
        match (self.ends(), other.ends()) {
            (Some((a, b, sure)), Some((c, d, other_sure))) => {
                Count::between(a + c, b + d, both(sure, other_sure))
            }
            _ if *self == Count::Unbounded || *other == Count::Unbounded => Count::Unbounded,
            (None, _) => self.clone(),
            _ => other.clone(),
        }
    }

    /// The number of solutions of two sets over different variables together.
    pub fn times(&self, other: &Count) -> Count {
        if self.is_zero() || other.is_zero() {
            return Count::Exact(BigUint::ZERO);
        }
        match (self.ends(), other.ends(), self, other) {
            (Some((a, b, sure)), Some((c, d, other_sure)), ..) => {
                Count::between(a * c, b * d, both(sure, other_sure))
            }
            (.., Count::GaveUp(why), _) | (.., Count::GaveUp(why)) => Count::GaveUp(why.clone()),
            (None, None, ..) => Count::Unbounded,
            // Infinitely many times at least one.
            (Some((lo, _, Confidence::Certain)), None, ..)
            | (None, Some((lo, _, Confidence::Certain)), ..)
                if *lo > BigUint::ZERO =>
            {
                Count::Unbounded
            }
            _ => Count::GaveUp("a part may be empty and another has infinitely many solutions".to_string()),
        }
    }
}

/// Both hold (by the union bound on their failing).
fn both(a: Confidence, b: Confidence) -> Confidence {
    match (a, b) {
        (Confidence::Certain, other) | (other, Confidence::Certain) => other,
        (Confidence::AtLeast(a), Confidence::AtLeast(b)) => Confidence::AtLeast((a + b - 1.0).max(0.0)),
    }
}
