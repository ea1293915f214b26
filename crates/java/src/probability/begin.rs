//! How a method's probabilities begin: its profile is understood and checked.

use super::profile::{Profile, Region};
use super::watched::Watched;
use crate::assume;
use crate::exploration::Exploration;
use crate::inputs::Inputs;
use crate::program::{MethodRef, ProgramError};
use evergreen_explore::{Feasibility, Oracle, Path};
use evergreen_symbolic::{Cond, Exprs, Input, InputKind};

impl Exploration {
    /// Begins to count for a method, if somebody wants to know; `path` is what is assumed of its inputs.
    pub(crate) fn watch(
        &mut self,
        method: &MethodRef,
        inputs: &Inputs,
        path: &Path<Cond>,
    ) -> Result<Option<Watched>, ProgramError> {
        let Some(measure) = self.measure.clone() else { return Ok(None) };
        if self.jvm.options.lazy.is_some() {
            return Err(ProgramError(
                "objects as inputs have no distribution: probabilities are for plain values, arrays and strings\nhelp: leave --heap away, or write a driver that builds the objects by calls".into(),
            ));
        }
        let regions = match &measure.profile {
            Some(profile) => self.regions(profile, method, inputs)?,
            None => Vec::new(),
        };
        let exprs = self.exprs.clone();
        let base = path.constraints();
        let masses = self.oracle.measure().map_err(|e| ProgramError(e.to_string()))?;
        masses.begin(&exprs.borrow(), &regions, &base);
        if let Some(profile) = &measure.profile {
            self.check(profile, &regions)?;
        }
        let masses = self.oracle.measure().map_err(|e| ProgramError(e.to_string()))?;
        if masses.assumed().is_zero() {
            return Err(ProgramError("what is assumed has probability 0 under the profile".into()));
        }
        let drawn = self.drawn(measure.profile.as_ref(), method);
        let masses = self.oracle.measure().map_err(|e| ProgramError(e.to_string()))?;
        Ok(Some(Watched::new(masses, &measure, base, &method.descriptor, drawn)))
    }

    /// The inputs of a profile that are no parameters: a driver draws them.
    fn drawn(&self, profile: Option<&Profile>, method: &MethodRef) -> Vec<(String, Input)> {
        let is_own = |name: &str| method.parameters.iter().any(|(parameter, _)| **parameter == *name);
        let domains = profile.into_iter().flat_map(|profile| &profile.domains);
        let mut exprs = self.exprs.borrow_mut();
        let input = |(name, range): &(String, (i64, i64))| {
            let expr = exprs.input(name, InputKind::Int, Some(*range));
            Some((name.clone(), exprs.as_input(expr)?))
        };
        domains.filter(|(name, _)| !is_own(name)).filter_map(input).collect()
    }

    fn regions(
        &mut self,
        profile: &Profile,
        method: &MethodRef,
        inputs: &Inputs,
    ) -> Result<Vec<Region>, ProgramError> {
        let exprs = &mut *self.exprs.borrow_mut();
        let (options, classes) = (&self.jvm.options, self.program.classes());
        let is_own = |name: &str| method.parameters.iter().any(|(parameter, _)| **parameter == *name);
        let mut input = |exprs: &mut Exprs, name: &str| {
            let drawn = profile.domains.iter().find(|(known, _)| known == name && !is_own(name));
            match drawn {
                // What a driver will draw.
                Some((_, range)) => Some(exprs.input(name, InputKind::Int, Some(*range))),
                None => inputs.input(exprs, method, options, classes, name),
            }
        };
        profile.regions(|text| assume(text, exprs, &mut input)).map_err(|e| ProgramError(e.to_string()))
    }

    /// Regions exclude each other, and those that have a probability are not empty.
    fn check(&mut self, profile: &Profile, regions: &[Region]) -> Result<(), ProgramError> {
        let complain = |at: usize, what: &str| Err(ProgramError(profile.complain(at, what).to_string()));
        let texts: Vec<&str> = profile.conditions().collect();
        for (at, region) in regions.iter().enumerate() {
            if !region.weight.is_zero() && self.overlap(&[region.condition])? == Some(false) {
                return complain(at, &format!("no input is in the region \"{}\"", texts[at]));
            }
            for (before, other) in regions[..at].iter().enumerate() {
                match self.overlap(&[other.condition, region.condition])? {
                    Some(false) => {}
                    Some(true) => {
                        let what = format!("the regions \"{}\" and \"{}\" overlap", texts[before], texts[at]);
                        return complain(at, &what);
                    }
                    None => {
                        let what = format!(
                            "nobody could say whether the regions \"{}\" and \"{}\" overlap",
                            texts[before], texts[at]
                        );
                        return complain(at, &what);
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether some input satisfies conditions: by their number, or by asking.
    fn overlap(&mut self, conditions: &[Cond]) -> Result<Option<bool>, ProgramError> {
        let exprs = self.exprs.clone();
        let masses = self.oracle.measure().map_err(|e| ProgramError(e.to_string()))?;
        let mass = masses.uniform(&exprs.borrow(), conditions);
        if mass.is_exact() || !mass.least.is_zero() {
            return Ok(Some(!mass.is_zero()));
        }
        let (mut path, mut model) = (Path::new(), self.oracle.start());
        for &condition in conditions {
            match self.oracle.ask(&path, &model, condition) {
                Feasibility::Feasible(next) => model = next,
                Feasibility::Infeasible => return Ok(Some(false)),
                Feasibility::Unknown => return Ok(None),
            }
            path = path.with(condition);
        }
        Ok(Some(true))
    }
}
