//! Numbers of solutions while they are put together: exact, between bounds, infinite, or not known.

use crate::problem::{Confidence, Count};
use evergreen_term::Int;
use num_bigint::BigUint;

/// A number of solutions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Tally {
    Exact(Int),
    /// Not fewer than the first, not more than the second.
    Between(Int, Int),
    Infinite,
    Unknown(&'static str),
}

impl Tally {
    pub(crate) const NONE: Tally = Tally::Exact(Int::ZERO);
    pub(crate) const ONE: Tally = Tally::Exact(Int::ONE);

    pub(crate) fn exact(&self) -> Option<&Int> {
        match self {
            Tally::Exact(n) => Some(n),
            _ => None,
        }
    }

    pub(crate) fn is_none(&self) -> bool {
        *self == Tally::NONE
    }

    /// Both ends, if there are two.
    fn ends(&self) -> Option<(&Int, &Int)> {
        match self {
            Tally::Exact(n) => Some((n, n)),
            Tally::Between(lo, hi) => Some((lo, hi)),
            _ => None,
        }
    }

    /// From proved ends.
    pub(crate) fn between(lo: Int, hi: Int) -> Tally {
        let lo = lo.max(Int::ZERO);
        if lo == hi { Tally::Exact(lo) } else { Tally::Between(lo, hi) }
    }

    /// Of independent parts.
    pub(crate) fn times(&self, other: &Tally) -> Tally {
        if self.is_none() || other.is_none() {
            return Tally::NONE;
        }
        match (self.ends(), other.ends()) {
            (Some((a, b)), Some((c, d))) => Tally::between(a.mul(c), b.mul(d)),
            (Some((lo, _)), None) | (None, Some((lo, _))) => match (self, other) {
                // Infinitely many times at least one.
                (Tally::Infinite, _) | (_, Tally::Infinite) if lo.signum() > 0 => Tally::Infinite,
                (Tally::Unknown(why), _) | (_, Tally::Unknown(why)) => Tally::Unknown(why),
                _ => Tally::Unknown("a part may be empty and another has infinitely many solutions"),
            },
            (None, None) => match (self, other) {
                (Tally::Unknown(why), _) | (_, Tally::Unknown(why)) => Tally::Unknown(why),
                _ => Tally::Infinite,
            },
        }
    }

    /// Of disjoint sets.
    pub(crate) fn plus(&self, other: &Tally) -> Tally {
        match (self.ends(), other.ends()) {
            (Some((a, b)), Some((c, d))) => Tally::between(a.add(c), b.add(d)),
            _ if *self == Tally::Infinite || *other == Tally::Infinite => Tally::Infinite,
            _ => self.reason(other),
        }
    }

    /// Without a subset.
    pub(crate) fn minus(&self, other: &Tally) -> Tally {
        match (self.ends(), other.ends()) {
            (Some((a, b)), Some((c, d))) => Tally::between(a.sub(d), b.sub(c)),
            // An infinite set without a finite one.
            (None, Some(_)) if *self == Tally::Infinite => Tally::Infinite,
            _ => self.reason(other),
        }
    }

    fn reason(&self, other: &Tally) -> Tally {
        match (self, other) {
            (Tally::Unknown(why), _) | (_, Tally::Unknown(why)) => Tally::Unknown(why),
            _ => Tally::Unknown("infinitely many without infinitely many"),
        }
    }

    pub(crate) fn into_count(self) -> Count {
        let natural = |n: Int| n.to_big().to_biguint().unwrap_or(BigUint::ZERO);
        match self {
            Tally::Exact(n) => Count::Exact(natural(n)),
            Tally::Between(lo, hi) => {
                Count::Bounds { lo: natural(lo), hi: natural(hi), confidence: Confidence::Certain }
            }
            Tally::Infinite => Count::Unbounded,
            Tally::Unknown(why) => Count::GaveUp(why.to_string()),
        }
    }
}
