//! The probabilities of a method's outcomes: they add up to 1, with what was not explored.

use super::mass::Mass;
use evergreen_count::Ratio;
use std::collections::BTreeMap;
use std::fmt;

/// A class of outcomes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// Returned this value; empty for `void`.
    Returned(String),
    /// Returned one of more values than are distinguished.
    Varying,
    /// Threw an exception of this class.
    Threw(String),
    /// Ended the JVM with this status.
    Exited(i32),
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Class::Returned(value) if value.is_empty() => f.write_str("returns"),
            Class::Returned(value) => write!(f, "returns {value}"),
            Class::Varying => f.write_str("returns other values"),
            Class::Threw(class) => write!(f, "throws {class}"),
            Class::Exited(status) => write!(f, "exits with {status}"),
        }
    }
}

/// How likely a path is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Likelihood {
    /// The probability of the inputs that take it, given what is assumed of inputs beforehand.
    pub mass: Mass,
    /// The same after each condition of the path, beginning before the first; empty unless the report has
    /// every detail.
    pub along: Vec<Mass>,
}

/// The outcomes of a method and how likely its paths make them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Distribution {
    outcomes: BTreeMap<Class, (u64, Mass)>,
    /// Paths on which an assumption of the driver did not hold.
    refused: Mass,
    /// Paths without an outcome, by reason.
    lost: BTreeMap<String, Mass>,
    /// All paths that were reported.
    reported: Mass,
    /// What is assumed of the inputs beforehand.
    assumed: Mass,
    /// Why the distribution is not valid.
    trouble: Option<String>,
}

impl Distribution {
    /// Of no paths yet; `assumed` is the probability of what is assumed of the inputs.
    pub fn new(assumed: Mass) -> Distribution {
        let (outcomes, lost) = (BTreeMap::new(), BTreeMap::new());
        Distribution { outcomes, refused: Mass::zero(), lost, reported: Mass::zero(), assumed, trouble: None }
    }

    pub(crate) fn outcome(&mut self, class: Class, mass: &Mass) {
        let entry = self.outcomes.entry(class).or_insert_with(|| (0, Mass::zero()));
        entry.0 += 1;
        entry.1 = entry.1.plus(mass);
        self.reported = self.reported.plus(mass);
    }

    pub(crate) fn refuse(&mut self, mass: &Mass) {
        self.refused = self.refused.plus(mass);
        self.reported = self.reported.plus(mass);
    }

    pub(crate) fn lose(&mut self, why: &str, mass: &Mass) {
        let entry = self.lost.entry(why.into()).or_insert_with(Mass::zero);
        *entry = entry.plus(mass);
        self.reported = self.reported.plus(mass);
    }

    pub(crate) fn distrust(&mut self, why: String) {
        self.trouble.get_or_insert(why);
    }

    /// Why the distribution is not valid: the program draws an input in another way than the profile says.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// The probability of what is assumed of the inputs beforehand (`--assume`).
    pub fn assumed(&self) -> &Mass {
        &self.assumed
    }

    /// The probability, given that, that the driver's own assumptions were found not to hold.
    pub fn refused(&self) -> &Mass {
        &self.refused
    }

    /// What all probabilities here are given: that the driver's assumptions were not found to fail.
    fn whole(&self) -> Mass {
        Mass::one().minus(&self.refused)
    }

    /// Each class of outcomes: on how many paths, and its probability, the most likely first.
    pub fn outcomes(&self) -> Vec<(Class, u64, Mass)> {
        let whole = self.whole();
        let each =
            self.outcomes.iter().map(|(class, (paths, mass))| (class.clone(), *paths, mass.given(&whole)));
        let mut all: Vec<(Class, u64, Mass)> = each.collect();
        all.sort_by(|a, b| b.2.most.cmp(&a.2.most).then_with(|| a.0.cmp(&b.0)));
        all
    }

    /// What has no outcome, by reason: cut by a bound, undecided, not supported; last, what was not explored
    /// at all.
    pub fn lost(&self) -> Vec<(String, Mass)> {
        let whole = self.whole();
        let mut all: Vec<(String, Mass)> =
            self.lost.iter().map(|(why, mass)| (why.clone(), mass.given(&whole))).collect();
        let rest = Mass::one().minus(&self.reported);
        if !rest.is_zero() {
            let why =
                if rest.least.is_zero() { "not explored or not counted exactly" } else { "not explored" };
            all.push((why.into(), rest.given(&whole)));
        }
        all
    }

    /// The probability of all outcomes together.
    pub fn covered(&self) -> Mass {
        let sum = self.outcomes.values().fold(Mass::zero(), |sum, (_, mass)| sum.plus(mass));
        sum.given(&self.whole())
    }

    /// The sum of everything: 1, if all of it is exact.
    pub fn sum(&self) -> Mass {
        self.lost().iter().fold(self.covered(), |sum, (_, mass)| sum.plus(mass))
    }

    /// Whether every probability is exact.
    pub fn is_exact(&self) -> bool {
        let lost = self.lost.values().all(Mass::is_exact);
        lost && self.trouble.is_none()
            && self.refused.is_exact()
            && self.outcomes.values().all(|(_, mass)| mass.is_exact())
    }

    /// The probability of a path, given that the driver's assumptions hold. `mass` is the one without them.
    pub fn of_path(&self, mass: &Mass) -> Mass {
        if self.refused == Mass::exact(Ratio::zero()) {
            return mass.clone();
        }
        mass.given(&self.whole())
    }
}
