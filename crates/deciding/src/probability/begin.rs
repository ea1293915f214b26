//! How the probabilities of a method begin: its profile is understood and checked.

use super::profile::{Profile, Region};
use super::watched::{Measure, Watched};
use crate::{BranchOracle, assume};
use evergreen_explore::{Feasibility, Oracle, Path};
use evergreen_symbolic::{Cond, Expr, Exprs, Input, InputKind};

/// Finds the expression of an input that the entry itself has, by its name; none for what a driver draws.
pub(super) type OwnInput<'i> = &'i mut dyn FnMut(&mut Exprs, &str) -> Option<Expr>;

impl Watched {
    /// Begins to count; `path` is what is assumed of the inputs.
    ///
    /// `is_own` returns whether a name is that of a parameter: other names of the profile are those of inputs
    /// that a driver draws.
    ///
    /// # Errors
    /// The profile cannot be understood, its regions overlap, or what is assumed has no probability.
    pub fn begin(
        oracle: &mut BranchOracle,
        measure: &Measure,
        path: &Path<Cond>,
        is_own: &dyn Fn(&str) -> bool,
        input: OwnInput<'_>,
    ) -> Result<Watched, String> {
        let shared = oracle.exprs();
        let regions = match &measure.profile {
            Some(profile) => regions(profile, &mut shared.borrow_mut(), is_own, input)?,
            None => Vec::new(),
        };
        let base = path.constraints();
        oracle.measure().map_err(|e| e.to_string())?.begin(&shared.borrow(), &regions, &base);
        if let Some(profile) = &measure.profile {
            check(oracle, profile, &regions)?;
        }
        let drawn = drawn(measure.profile.as_ref(), &mut shared.borrow_mut(), is_own);
        let masses = oracle.measure().map_err(|e| e.to_string())?;
        if masses.assumed().is_zero() {
            return Err("what is assumed has probability 0 under the profile".into());
        }
        Ok(Watched::new(masses, measure, base, drawn))
    }
}

/// The inputs of a profile that are no parameters: a driver draws them.
fn drawn(
    profile: Option<&Profile>,
    exprs: &mut Exprs,
    is_own: &dyn Fn(&str) -> bool,
) -> Vec<(String, Input)> {
    let domains = profile.into_iter().flat_map(|profile| &profile.domains);
    let input = |(name, range): &(String, (i64, i64))| {
        let expr = exprs.input(name, InputKind::Int, Some(*range));
        Some((name.clone(), exprs.as_input(expr)?))
    };
    domains.filter(|(name, _)| !is_own(name)).filter_map(input).collect()
}

fn regions(
    profile: &Profile,
    exprs: &mut Exprs,
    is_own: &dyn Fn(&str) -> bool,
    own: OwnInput<'_>,
) -> Result<Vec<Region>, String> {
    let mut input = |exprs: &mut Exprs, name: &str| {
        let drawn = profile.domains.iter().find(|(known, _)| known == name && !is_own(name));
        match drawn {
            // What a driver will draw.
            Some((_, range)) => Some(exprs.input(name, InputKind::Int, Some(*range))),
            None => own(exprs, name),
        }
    };
    profile.regions(|text| assume(text, exprs, &mut input)).map_err(|e| e.to_string())
}

/// Regions exclude each other, and those that have a probability are not empty.
fn check(oracle: &mut BranchOracle, profile: &Profile, regions: &[Region]) -> Result<(), String> {
    let complain = |at: usize, what: &str| Err(profile.complain(at, what).to_string());
    let texts: Vec<&str> = profile.conditions().collect();
    for (at, region) in regions.iter().enumerate() {
        if !region.weight.is_zero() && overlap(oracle, &[region.condition])? == Some(false) {
            return complain(at, &format!("no input is in the region \"{}\"", texts[at]));
        }
        for (before, other) in regions[..at].iter().enumerate() {
            let (one, two) = (texts[before], texts[at]);
            match overlap(oracle, &[other.condition, region.condition])? {
                Some(false) => {}
                Some(true) => {
                    return complain(at, &format!("the regions \"{one}\" and \"{two}\" overlap"));
                }
                None => {
                    let what = format!("it is undecided whether the regions \"{one}\" and \"{two}\" overlap");
                    return complain(at, &what);
                }
            }
        }
    }
    Ok(())
}

/// Whether some input satisfies conditions: by their number, or by asking.
fn overlap(oracle: &mut BranchOracle, conditions: &[Cond]) -> Result<Option<bool>, String> {
    let exprs = oracle.exprs();
    let masses = oracle.measure().map_err(|e| e.to_string())?;
    let mass = masses.uniform(&exprs.borrow(), conditions);
    if mass.is_exact() || !mass.least.is_zero() {
        return Ok(Some(!mass.is_zero()));
    }
    let (mut path, mut model) = (Path::new(), oracle.start());
    for &condition in conditions {
        match oracle.ask(&path, &model, condition) {
            Feasibility::Feasible(next) => model = next,
            Feasibility::Infeasible => return Ok(Some(false)),
            Feasibility::Unknown => return Ok(None),
        }
        path = path.with(condition);
    }
    Ok(Some(true))
}
