//! A run whose paths are told with their probabilities.

use super::distribution::{Class, Distribution, Likelihood};
use super::leak::{Ended, Leak, leak};
use super::mass::Mass;
use super::profile::Profile;
use super::shown::{Shown, shown, text};
use super::tree::Masses;
use crate::ending::{Detail, How};
use evergreen_explore::{End, Found, Path};
use evergreen_jvm::{Ending, Jvm, Outcome, Value};
use evergreen_symbolic::{Assignment, Cond, Const, Input, Kind, Rel};

/// Values of one path that are told apart where only probabilities are asked for.
const TOLD_APART: i64 = 16;
/// The same where a leak is asked for.
const WATCHED_VALUES: i64 = 4096;

/// What is to be found out about probabilities.
#[derive(Clone, Debug, Default)]
pub struct Measure {
    /// How inputs are distributed; uniform without one.
    pub profile: Option<Profile>,
    /// Inputs that nobody should learn anything about: names of parameters or draws.
    pub secrets: Vec<String>,
    /// Counts both arms of every branch, also what was counted before: for studies.
    pub every_arm: bool,
}

/// What is known of the paths so far.
pub(crate) struct Watched {
    pub(crate) distribution: Distribution,
    secrets: Vec<String>,
    /// What is assumed of the inputs.
    base: Vec<Cond>,
    /// For leaks.
    ended: Vec<Ended>,
    /// The descriptor of what the method returns.
    result: String,
    /// Inputs of the profile that a driver draws.
    drawn: Vec<(String, Input)>,
}

impl Watched {
    pub(crate) fn new(
        masses: &Masses,
        measure: &Measure,
        base: Vec<Cond>,
        descriptor: &str,
        drawn: Vec<(String, Input)>,
    ) -> Watched {
        Watched {
            distribution: Distribution::new(masses.assumed().clone()),
            secrets: measure.secrets.clone(),
            base,
            ended: Vec::new(),
            result: descriptor.rsplit(')').next().unwrap_or("V").to_string(),
            drawn,
        }
    }

    /// The end of a path.
    pub(crate) fn end(
        &mut self,
        jvm: &Jvm,
        masses: &mut Masses,
        found: &Found<Jvm, Assignment>,
        detail: Detail,
    ) -> Likelihood {
        let mut conditions = found.path.constraints();
        if let End::Undecided(arm) = &found.end {
            conditions.push(arm.constraint);
        }
        let (mass, along) = {
            let exprs = jvm.exprs.borrow();
            match detail {
                Detail::Full => {
                    let along = masses.along(&exprs, &conditions);
                    (along.last().cloned().unwrap_or_else(Mass::one), along)
                }
                Detail::Brief => (masses.of(&exprs, &conditions), Vec::new()),
            }
        };
        match &found.end {
            End::Outcome(outcome) => self.outcome(jvm, masses, outcome, &found.path, &conditions, &mass),
            End::Cut(bound) => self.distribution.lose(&format!("cut by --{}", bound.name()), &mass),
            End::Undecided(_) => self.distribution.lose("undecided", &mass),
            End::Stuck => self.distribution.lose("stuck", &mass),
        }
        Likelihood { mass, along }
    }

    fn outcome(
        &mut self,
        jvm: &Jvm,
        masses: &mut Masses,
        outcome: &Outcome,
        path: &Path<Cond>,
        conditions: &[Cond],
        mass: &Mass,
    ) {
        self.check_draws(jvm, outcome);
        let all = &mut self.distribution;
        match &outcome.ending {
            Ending::Assumed => {
                all.refuse(mass);
                self.keep(path, None);
            }
            Ending::Invalid => all.lose("no valid object", mass),
            Ending::Unsupported { .. } => all.lose("not supported", mass),
            Ending::Bound(bound) => {
                all.lose(&format!("cut by {}", How::bound_name(*bound).replace('_', " ")), mass);
            }
            _ => {
                let Some(seen) = shown(jvm, outcome, &self.result) else { return };
                match by_value(jvm, masses, outcome, &seen, conditions, self.most_values()) {
                    Some(values) => {
                        for (value, mass) in values {
                            self.distribution.outcome(Class::Returned(value), &mass);
                        }
                    }
                    None => self.distribution.outcome(seen.class.clone(), mass),
                }
                self.keep(path, Some(seen));
            }
        }
    }

    /// A draw that is no int of the range that the profile gives is another input, of which its regions say nothing.
    fn check_draws(&mut self, jvm: &Jvm, outcome: &Outcome) {
        for draw in &outcome.draws {
            let Some((name, input)) = self.drawn.iter().find(|(name, _)| **name == *draw.name) else {
                continue;
            };
            let own = match draw.value {
                Value::Sym(expr) => jvm.exprs.borrow().as_input(expr),
                _ => None,
            };
            if own != Some(*input) {
                let why = format!(
                    "the profile takes \"{name}\" for an int of its domain, but it is drawn as another type or range"
                );
                self.distribution.distrust(why);
            }
        }
    }

    fn most_values(&self) -> i64 {
        if self.secrets.is_empty() { TOLD_APART } else { WATCHED_VALUES }
    }

    fn keep(&mut self, path: &Path<Cond>, shown: Option<Shown>) {
        if !self.secrets.is_empty() {
            self.ended.push(Ended { path: path.clone(), shown });
        }
    }

    /// What the outcomes of all paths tell about the secrets; `None` if there are none.
    pub(crate) fn leak(&self, jvm: &Jvm, masses: &mut Masses) -> Option<Leak> {
        if self.secrets.is_empty() {
            return None;
        }
        let is_partial = !self.distribution.lost().is_empty();
        Some(leak(&jvm.exprs, masses, &self.ended, &self.base, &self.secrets, is_partial))
    }
}

/// The values that a path returns, each with its probability, if there are few.
fn by_value(
    jvm: &Jvm,
    masses: &mut Masses,
    outcome: &Outcome,
    seen: &Shown,
    conditions: &[Cond],
    most: i64,
) -> Option<Vec<(String, Mass)>> {
    let (expr, descriptor) = seen.value.as_ref()?;
    let (kind, (lo, hi)) = {
        let exprs = jvm.exprs.borrow();
        (exprs.kind(*expr), exprs.interval(*expr))
    };
    if !kind.is_int() || hi.checked_sub(lo).is_none_or(|width| width >= most) {
        return None;
    }
    let mut all = Vec::new();
    for value in lo..=hi {
        let constant = if kind == Kind::I64 { Const::I64(value) } else { Const::I32(value as i32) };
        let condition = {
            let mut exprs = jvm.exprs.borrow_mut();
            let other = exprs.constant(constant);
            exprs.relate(Rel::Eq, *expr, other)
        };
        let with: Vec<Cond> = conditions.iter().copied().chain([condition]).collect();
        let mass = masses.of(&jvm.exprs.borrow(), &with);
        if !mass.is_zero() {
            let value = if kind == Kind::I64 { Value::Long(value) } else { Value::Int(value as i32) };
            all.push((text(jvm, outcome, value, descriptor), mass));
        }
    }
    Some(all)
}
