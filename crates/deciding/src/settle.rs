//! Inputs that depend on the path alone: not on what was explored before it, and not on what a store knows.
//!
//! An answer that some arm is feasible comes with a model, and which one depends on the source of the answer:
//! a stored model, one that satisfied something similar, the solver in the state in which the last question
//! left it. Generated tests made of these would differ from run to run, from warm to cold, and between
//! `--jobs 1` and `--jobs 8`. So the answer's values are only a fallback: the arm and the part of the path on
//! which it depends are solved again, from a clean state and in an order of names
//! ([`evergreen::Evergreen::settle`]). The model of a path is then a function of the path: it begins with
//! defaults, stays the same along an arm that it takes, and is settled where it does not.
//!
//! Linear slices take microseconds, on top of a question that took longer. For other slices, values that are
//! often right are tried first, one input at a time: that costs a few evaluations, where a solver takes
//! milliseconds.

use evergreen_symbolic::{Assignment, Cond, Const, Exprs, Input, Kind};

/// Inputs of an arm that are tried.
const INPUTS: usize = 6;

/// Values that are tried for whole numbers.
const WHOLE: [i64; 26] = [
    0,
    1,
    -1,
    2,
    -2,
    3,
    4,
    5,
    7,
    8,
    10,
    -10,
    16,
    32,
    64,
    100,
    127,
    128,
    255,
    256,
    1000,
    65_535,
    65_536,
    1_000_000,
    i64::MAX,
    i64::MIN,
];

/// Values that are tried for floating-point numbers.
const REAL: [f64; 16] = [
    0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    -2.0,
    3.0,
    10.0,
    100.0,
    -100.0,
    1e6,
    1e10,
    -1e10,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// The model of a path with one input changed so that it takes an arm: the first such value in a fixed order,
/// if there is one.
pub(crate) fn moved(
    exprs: &Exprs,
    conditions: &[Cond],
    parent: &Assignment,
    arm: Cond,
) -> Option<Assignment> {
    let mut inputs = exprs.inputs_of(arm).to_vec();
    exprs.sort_by_name(&mut inputs);
    for input in inputs.into_iter().take(INPUTS) {
        let touched: Vec<Cond> = std::iter::once(arm)
            .chain(conditions.iter().copied().filter(|c| exprs.inputs_of(*c).contains(&input)))
            .collect();
        for value in values(exprs, input) {
            let mut model = parent.clone();
            model.set(exprs, input, value);
            if exprs.in_range(&[input], &model) && touched.iter().all(|&c| exprs.holds(c, &model)) {
                return Some(model);
            }
        }
    }
    None
}

/// What is tried for an input.
fn values(exprs: &Exprs, input: Input) -> Vec<Const> {
    let kind = exprs.input_of(input).kind.kind();
    let (low, high) = exprs.interval(exprs.expr_of(input));
    let whole = WHOLE.iter().map(move |n| (*n).clamp(low, high));
    match kind {
        Kind::I32 => whole.map(|n| Const::I32(n as i32)).collect(),
        Kind::I64 => whole.map(Const::I64).collect(),
        Kind::F32 => REAL.iter().map(|n| Const::F32((*n as f32).to_bits())).collect(),
        Kind::F64 => REAL.iter().map(|n| Const::F64(n.to_bits())).collect(),
    }
}
