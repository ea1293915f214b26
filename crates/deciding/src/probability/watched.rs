//! A run whose paths are reported with their probabilities.

use super::distribution::{Class, Distribution, Likelihood};
use super::leak::{Ended, Leak, equal, leak};
use super::mass::Mass;
use super::profile::Profile;
use super::shown::{Shown, text};
use super::tree::Masses;
use evergreen_explore::Path;
use evergreen_symbolic::{Cond, Exprs, Input};
use std::cell::RefCell;

/// Values of one path that are distinguished where only probabilities are asked for.
const DISTINGUISHED: i64 = 16;
/// The same where a leak is asked for.
const WATCHED_VALUES: i64 = 4096;

/// What is to be computed about probabilities.
#[derive(Clone, Debug, Default)]
pub struct Measure {
    /// How inputs are distributed; uniform without one.
    pub profile: Option<Profile>,
    /// Inputs about which an observer should learn nothing: names of parameters or draws.
    pub secrets: Vec<String>,
    /// Counts both arms of every branch, also what was counted before: for studies.
    pub every_arm: bool,
}

/// What the end of a path shows.
#[derive(Clone, Debug)]
pub enum Shows {
    /// An outcome of the program.
    Outcome(Shown),
    /// Nothing: an assumption of the driver does not hold.
    Refused,
    /// Nothing: the path has no outcome, for this reason.
    Lost(String),
}

/// Whether the probability of a path is given after each of its conditions, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Along {
    /// After each condition.
    Each,
    /// At the end only.
    End,
}

/// What is known of the paths so far.
pub struct Watched {
    distribution: Distribution,
    secrets: Vec<String>,
    /// What is assumed of the inputs.
    base: Vec<Cond>,
    /// For leaks.
    ended: Vec<Ended>,
    /// Inputs of the profile that a driver draws.
    drawn: Vec<(String, Input)>,
}

impl Watched {
    pub(crate) fn new(
        masses: &Masses,
        measure: &Measure,
        base: Vec<Cond>,
        drawn: Vec<(String, Input)>,
    ) -> Watched {
        let distribution = Distribution::new(masses.assumed().clone());
        Watched { distribution, secrets: measure.secrets.clone(), base, ended: Vec::new(), drawn }
    }

    /// The probabilities of the outcomes so far.
    pub fn distribution(&self) -> &Distribution {
        &self.distribution
    }

    /// The end of a path; `undecided` is the condition of its last arm, if the oracle could not decide it.
    pub fn end(
        &mut self,
        exprs: &RefCell<Exprs>,
        masses: &mut Masses,
        (path, undecided): (&Path<Cond>, Option<Cond>),
        shows: Shows,
        along: Along,
    ) -> Likelihood {
        let mut conditions = path.constraints();
        conditions.extend(undecided);
        let (mass, along) = match along {
            Along::Each => {
                let along = masses.along(&exprs.borrow(), &conditions);
                (along.last().cloned().unwrap_or_else(Mass::one), along)
            }
            Along::End => (masses.of(&exprs.borrow(), &conditions), Vec::new()),
        };
        match shows {
            Shows::Lost(why) => self.distribution.lose(&why, &mass),
            Shows::Refused => {
                self.distribution.refuse(&mass);
                self.keep(path, None);
            }
            Shows::Outcome(seen) => {
                match by_value(exprs, masses, &seen, &conditions, self.most_values()) {
                    Some(values) => {
                        for (value, mass) in values {
                            self.distribution.outcome(Class::Returned(value), &mass);
                        }
                    }
                    None => self.distribution.outcome(seen.class.clone(), &mass),
                }
                self.keep(path, Some(seen));
            }
        }
        Likelihood { mass, along }
    }

    /// An input that a path drew. One that is no int of the range that the profile gives is another input,
    /// which its regions do not mention.
    pub fn drew(&mut self, name: &str, input: Option<Input>) {
        let Some((_, own)) = self.drawn.iter().find(|(known, _)| known == name) else { return };
        if input != Some(*own) {
            self.distribution.distrust(format!(
                "the profile takes \"{name}\" for an int of its domain, \
                 but it is drawn as another type or range"
            ));
        }
    }

    fn most_values(&self) -> i64 {
        if self.secrets.is_empty() { DISTINGUISHED } else { WATCHED_VALUES }
    }

    fn keep(&mut self, path: &Path<Cond>, shown: Option<Shown>) {
        if !self.secrets.is_empty() {
            self.ended.push(Ended { path: path.clone(), shown });
        }
    }

    /// What the outcomes of all paths reveal about the secrets; `None` if there are none.
    pub fn leak(&self, exprs: &RefCell<Exprs>, masses: &mut Masses) -> Option<Leak> {
        if self.secrets.is_empty() {
            return None;
        }
        let is_partial = !self.distribution.lost().is_empty();
        Some(leak(exprs, masses, &self.ended, &self.base, &self.secrets, is_partial))
    }
}

/// The values that a path returns, each with its probability, if there are few.
fn by_value(
    exprs: &RefCell<Exprs>,
    masses: &mut Masses,
    seen: &Shown,
    conditions: &[Cond],
    most: i64,
) -> Option<Vec<(String, Mass)>> {
    let (expr, show) = seen.value?;
    let (kind, (lo, hi)) = {
        let exprs = exprs.borrow();
        (exprs.kind(expr), exprs.interval(expr))
    };
    if !kind.is_int() || hi.checked_sub(lo).is_none_or(|width| width >= most) {
        return None;
    }
    let mut all = Vec::new();
    for value in lo..=hi {
        let condition = equal(&mut exprs.borrow_mut(), expr, value);
        let with: Vec<Cond> = conditions.iter().copied().chain([condition]).collect();
        let mass = masses.of(&exprs.borrow(), &with);
        if !mass.is_zero() {
            all.push((text(value, show), mass));
        }
    }
    Some(all)
}
