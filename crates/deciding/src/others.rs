//! Other values for inputs that a path fixes: where symbols cannot go, one model sees one way.
//!
//! Values that programs treat specially are tried in turn, all inputs at once and one by one, and every
//! condition of the path is evaluated; then the solver is asked for values that differ. Values are a function
//! of the path alone, so that every run tries the same.

use crate::BranchOracle;
use evergreen_explore::{Feasibility, Oracle, Path};
use evergreen_symbolic::{Assignment, Cond, Const, Exprs, Input, InputKind, Kind};

/// Whole numbers that programs treat specially.
const WHOLE: [i64; 10] = [1, -1, 2, 10, 100, 7, 1000, -100, i32::MAX as i64, i32::MIN as i64];

/// Floats that have texts of different shapes, and those that are no numbers.
const REAL: [f64; 10] = [1.5, -2.0, 100.0, 1e10, 0.1, f64::NAN, f64::INFINITY, -0.0, 1e-5, 123456.789];

/// Characters of different classes.
const CHARACTERS: &str = "a0A-1. ,b/:z_+";

/// Lengths of texts.
const LENGTHS: [i64; 5] = [1, 3, 2, 5, 10];

impl BranchOracle {
    /// See [`Oracle::others`].
    pub(crate) fn other_models(
        &mut self,
        path: &Path<Cond>,
        constraint: Cond,
        model: &Assignment,
        most: usize,
    ) -> Vec<Assignment> {
        let shared = self.exprs();
        let (inputs, conditions) = {
            let exprs = shared.borrow();
            let mut inputs = exprs.inputs_of(constraint).to_vec();
            exprs.sort_by_name(&mut inputs);
            (inputs, path.constraints())
        };
        let mut found: Vec<Assignment> = Vec::new();
        {
            let exprs = shared.borrow();
            let is_new = |found: &[Assignment], values: &Assignment| {
                let same = |other: &Assignment| {
                    inputs.iter().all(|input| other.get(&exprs, *input) == values.get(&exprs, *input))
                };
                !same(model) && !found.iter().any(same)
            };
            for round in 0..2 * WHOLE.len() {
                for only in [None].into_iter().chain(inputs.iter().copied().map(Some)).take(4) {
                    let mut values = model.clone();
                    for (at, input) in inputs.iter().enumerate() {
                        if only.is_none_or(|only| only == *input) {
                            values.set(&exprs, *input, candidate(&exprs, *input, round + at));
                        }
                    }
                    let fits = exprs.in_range(&inputs, &values)
                        && is_new(&found, &values)
                        && conditions.iter().all(|condition| exprs.holds(*condition, &values));
                    if fits {
                        found.push(values);
                    }
                    if found.len() >= most {
                        return found;
                    }
                }
            }
        }
        if found.is_empty()
            && let Some(fixed) = self.fix(&[constraint], model)
        {
            for condition in fixed {
                if let Feasibility::Feasible(other) = self.ask(path, model, condition.negated()) {
                    found.push(other);
                    break;
                }
            }
        }
        found
    }
}

impl BranchOracle {
    /// See [`Oracle::moved`].
    pub(crate) fn moved_model(
        &mut self,
        path: &Path<Cond>,
        constraint: Cond,
        model: &Assignment,
        (at, by): (usize, f64),
    ) -> Option<Assignment> {
        let shared = self.exprs();
        let exprs = shared.borrow();
        let mut inputs = exprs.inputs_of(constraint).to_vec();
        exprs.sort_by_name(&mut inputs);
        let input = *inputs.get(at)?;
        let old = model.get(&exprs, input);
        let new = match old {
            Const::I32(value) => {
                Const::I32(i32::try_from(i64::from(value).checked_add(by.round() as i64)?).ok()?)
            }
            Const::I64(value) => Const::I64(value.checked_add(by.round() as i64)?),
            Const::F32(bits) => Const::f32(f32::from_bits(bits) + by as f32),
            Const::F64(bits) => Const::f64(f64::from_bits(bits) + by),
        };
        let mut values = model.clone();
        values.set(&exprs, input, new);
        let fits = new != old
            && exprs.in_range(&[input], &values)
            && path.constraints().iter().all(|condition| exprs.holds(*condition, &values));
        fits.then_some(values)
    }
}

/// The value that an input gets in a round.
fn candidate(exprs: &Exprs, input: Input, round: usize) -> Const {
    let info = exprs.input_of(input);
    let whole = match info.kind {
        InputKind::Char => {
            let unit = CHARACTERS.as_bytes().get(round % CHARACTERS.len());
            unit.map_or(i64::from(b'a'), |unit| i64::from(*unit))
        }
        _ if info.asked_name().ends_with(".length") => LENGTHS[round % LENGTHS.len()],
        InputKind::Boolean => round as i64 % 2,
        _ => WHOLE[round % WHOLE.len()],
    };
    let real = REAL[round % REAL.len()];
    match info.kind.kind() {
        Kind::I32 => Const::I32(whole as i32),
        Kind::I64 => Const::I64(whole),
        Kind::F32 => Const::f32(real as f32),
        Kind::F64 => Const::f64(real),
    }
}
