//! A probability that is known exactly, or between bounds that hold.

use evergreen_count::Ratio;
use std::fmt;

/// A probability: not less than `least`, not more than `most`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mass {
    /// Not less.
    pub least: Ratio,
    /// Not more.
    pub most: Ratio,
}

impl Mass {
    /// Exactly this.
    pub fn exact(ratio: Ratio) -> Mass {
        Mass { least: ratio.clone(), most: ratio }
    }

    /// What cannot happen.
    pub fn zero() -> Mass {
        Mass::exact(Ratio::zero())
    }

    /// What is certain.
    pub fn one() -> Mass {
        Mass::exact(Ratio::one())
    }

    /// Between nothing and this.
    pub fn up_to(most: Ratio) -> Mass {
        Mass { least: Ratio::zero(), most }
    }

    /// Whether it is known exactly.
    pub fn is_exact(&self) -> bool {
        self.least == self.most
    }

    /// The probability, if it is known exactly.
    pub fn as_exact(&self) -> Option<&Ratio> {
        self.is_exact().then_some(&self.least)
    }

    /// Whether it cannot happen.
    pub fn is_zero(&self) -> bool {
        self.most.is_zero()
    }

    /// One of two things that exclude each other.
    #[must_use]
    pub fn plus(&self, other: &Mass) -> Mass {
        if self.is_exact() && other.is_exact() {
            return Mass::exact(self.least.plus(&other.least));
        }
        Mass { least: self.least.plus(&other.least), most: self.most.plus(&other.most) }
    }

    /// Two independent things together, or a share of something.
    #[must_use]
    pub fn times(&self, other: &Mass) -> Mass {
        if self.is_exact() && other.is_exact() {
            return Mass::exact(self.least.times(&other.least));
        }
        Mass { least: self.least.times(&other.least), most: self.most.times(&other.most) }
    }

    /// This without something that it includes.
    #[must_use]
    pub fn minus(&self, part: &Mass) -> Mass {
        Mass { least: self.least.minus(&part.most), most: self.most.minus(&part.least) }
    }

    /// This, given something that includes it. Nothing is known given what cannot happen.
    #[must_use]
    pub fn given(&self, whole: &Mass) -> Mass {
        let clip = |ratio: Ratio| if ratio > Ratio::one() { Ratio::one() } else { ratio };
        Mass {
            least: self.least.over(&whole.most).map_or_else(Ratio::zero, clip),
            most: self.most.over(&whole.least).map_or_else(Ratio::one, clip),
        }
    }

    /// The intersection of two bounds of the same number.
    #[must_use]
    pub fn meet(&self, other: &Mass) -> Mass {
        Mass {
            least: self.least.clone().max(other.least.clone()),
            most: self.most.clone().min(other.most.clone()),
        }
    }
}

impl fmt::Display for Mass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_exact() {
            Some(exact) => exact.fmt(f),
            None => write!(f, "{}..{}", self.least, self.most),
        }
    }
}
