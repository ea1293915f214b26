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

use evergreen_symbolic::{Assignment, Bounds, Cond, Const, Exprs, Input, Kind};

/// Values near constants of an arm that are tried.
const NEAR: usize = 24;

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

/// Bits of floats that are tried beside these: negative zero, NaNs with a sign and with a payload, the least
/// number, the greatest.
const BITS: [(u32, u64); 6] = [
    (1 << 31, 1 << 63),
    (0xffc0_0000, 0xfff8_0000_0000_0000),
    (0x7fc0_0001, 0x7ff8_0000_0000_0001),
    (u32::MAX, u64::MAX),
    (1, 1),
    (0x7f7f_ffff, 0x7fef_ffff_ffff_ffff),
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
    let floats = exprs.float_bits_of(arm);
    let near = if floats.is_empty() { Vec::new() } else { near_constants(exprs, arm) };
    for input in inputs.into_iter().take(INPUTS) {
        let touched: Vec<Cond> = std::iter::once(arm)
            .chain(conditions.iter().copied().filter(|c| exprs.inputs_of(*c).contains(&input)))
            .collect();
        let is_float = floats.contains(&input);
        let near = near.iter().filter(|_| is_float).map(|value| as_bits(exprs, input, *value));
        for value in values(exprs, input, is_float).into_iter().chain(near) {
            let mut model = parent.clone();
            model.set(exprs, input, value);
            if exprs.in_range(&[input], &model) && touched.iter().all(|&c| exprs.holds(c, &model)) {
                return Some(model);
            }
        }
    }
    None
}

/// An arm with the conditions that it depends on through inputs, and these inputs, by name.
pub(crate) fn slice_of(exprs: &Exprs, conditions: &[Cond], arm: Cond) -> (Vec<Cond>, Vec<Input>) {
    let mut inputs = exprs.inputs_of(arm).to_vec();
    let (mut slice, mut rest) = (vec![arm], conditions.to_vec());
    loop {
        let before = rest.len();
        rest.retain(|condition| {
            let own = exprs.inputs_of(*condition);
            let touches = own.iter().any(|input| inputs.contains(input));
            if touches {
                inputs
                    .extend(own.iter().filter(|input| !inputs.contains(input)).copied().collect::<Vec<_>>());
                slice.push(*condition);
            }
            !touches
        });
        if rest.len() == before {
            break;
        }
    }
    exprs.sort_by_name(&mut inputs);
    (slice, inputs)
}

/// Combinations of values that are enumerated for one arm, at most.
const COMBINATIONS: u64 = 4096;

/// Whether an arm is feasible, if the inputs that it depends on, also through other conditions of the path,
/// are integers that have few values together: a model, or `Some(None)` if there is none.
pub(crate) fn enumerated(
    exprs: &Exprs,
    conditions: &[Cond],
    parent: &Assignment,
    arm: Cond,
) -> Option<Option<Assignment>> {
    let (slice, inputs) = slice_of(exprs, conditions, arm);
    let mut bounds = Bounds::new();
    slice.iter().for_each(|condition| bounds.learn(exprs, *condition));
    let mut domains: Vec<Vec<i64>> = Vec::with_capacity(inputs.len());
    let mut combinations: u64 = 1;
    for &input in &inputs {
        let (low, high) = match exprs.input_of(input).kind.kind() {
            Kind::I32 | Kind::I64 => bounds.interval(exprs, exprs.expr_of(input)),
            Kind::F32 | Kind::F64 => return None,
        };
        if low > high {
            return Some(None);
        }
        let width = u64::try_from(high.checked_sub(low)?).ok()?.checked_add(1)?;
        combinations = combinations.checked_mul(width).filter(|all| *all <= COMBINATIONS)?;
        let mut values: Vec<i64> = (low..=high).collect();
        values.sort_by_key(|value| (value.unsigned_abs(), *value < 0));
        domains.push(values);
    }
    for number in 0..combinations {
        let (mut model, mut rest) = (parent.clone(), number);
        // The last input changes first.
        for (&input, values) in inputs.iter().zip(&domains).rev() {
            let count = values.len() as u64;
            let value = values[(rest % count) as usize];
            rest /= count;
            let is_long = exprs.input_of(input).kind.kind() == Kind::I64;
            model.set(exprs, input, if is_long { Const::I64(value) } else { Const::I32(value as i32) });
        }
        if slice.iter().all(|&condition| exprs.holds(condition, &model)) {
            return Some(Some(model));
        }
    }
    Some(None)
}

/// The floats of a condition, and their neighbours.
fn near_constants(exprs: &Exprs, arm: Cond) -> Vec<f64> {
    let mut all = Vec::new();
    for constant in exprs.constants_of(arm) {
        match constant {
            Const::F32(bits) => {
                let value = f32::from_bits(bits);
                all.extend([value, value.next_up(), value.next_down()].map(f64::from));
            }
            Const::F64(bits) => {
                let value = f64::from_bits(bits);
                all.extend([value, value.next_up(), value.next_down()]);
            }
            Const::I32(_) | Const::I64(_) => {}
        }
    }
    all.truncate(NEAR);
    all
}

/// The bits of a float, as the input that has them is wide.
fn as_bits(exprs: &Exprs, input: Input, value: f64) -> Const {
    match exprs.input_of(input).kind.kind() {
        Kind::I32 => Const::I32((value as f32).to_bits() as i32),
        _ => Const::I64(value.to_bits() as i64),
    }
}

/// What is tried for an input.
fn values(exprs: &Exprs, input: Input, is_float: bool) -> Vec<Const> {
    let kind = exprs.input_of(input).kind.kind();
    if is_float {
        let single = REAL.iter().map(|n| (*n as f32).to_bits()).chain(BITS.map(|bits| bits.0));
        let double = REAL.iter().map(|n| n.to_bits()).chain(BITS.map(|bits| bits.1));
        return match kind {
            Kind::I32 => single.map(|bits| Const::I32(bits as i32)).collect(),
            _ => double.map(|bits| Const::I64(bits as i64)).collect(),
        };
    }
    let (low, high) = exprs.interval(exprs.expr_of(input));
    let whole = WHOLE.iter().map(move |n| (*n).clamp(low, high));
    match kind {
        Kind::I32 => whole.map(|n| Const::I32(n as i32)).collect(),
        Kind::I64 => whole.map(Const::I64).collect(),
        Kind::F32 => REAL.iter().map(|n| Const::F32((*n as f32).to_bits())).collect(),
        Kind::F64 => REAL.iter().map(|n| Const::F64(n.to_bits())).collect(),
    }
}
