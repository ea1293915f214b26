//! Inputs by search, where no solver can be asked: conditions with sines, powers, remainders of floats.
//!
//! The alternating variable method [Korel TSE'90]: one input at a time is moved, with steps that double as
//! long as the distance to the conditions falls ([`Exprs::distance`]). Floats move by amounts and by units in
//! the last place: amounts find the neighbourhood, last places hit an equality. From a dead end the search
//! begins again elsewhere. It is bounded in evaluations, not in time, and its random numbers have one seed:
//! the inputs of a path are a function of the path.

use evergreen_symbolic::{Assignment, Cond, Const, Expr, Exprs, Input, Kind};

/// Evaluations of the conditions for one arm, at most.
const EVALUATIONS: u32 = 100_000;
/// Nodes of all conditions times evaluations, at most.
const WORK: u64 = 12_000_000;
/// Amounts by which numbers are first moved.
const AMOUNTS: [f64; 7] = [1.0, 0.1, 10.0, 1e-3, 1000.0, 1e-6, 1e6];
/// Units in the last place by which floats are first moved.
const LAST_PLACES: [i64; 5] = [1, 1 << 12, 1 << 24, 1 << 36, 1 << 46];
/// Starts lie within these distances of zero, in turn.
const SPREADS: [f64; 6] = [1.0, 10.0, 100.0, 4.0, 1000.0, 1e5];

struct Search<'s> {
    exprs: &'s Exprs,
    slice: &'s [Cond],
    /// Inputs that equalities define: they follow the others, so that moving those keeps the equalities.
    defined: Vec<(Input, Expr)>,
    left: u32,
    random: u64,
}

/// A model of all conditions of a slice, which are about these inputs.
pub(crate) fn search(
    exprs: &Exprs,
    slice: &[Cond],
    inputs: &[Input],
    parent: &Assignment,
) -> Option<Assignment> {
    let size: u64 = slice.iter().map(|cond| u64::from(exprs.size_of(*cond))).sum();
    let left = u32::try_from(WORK / size.max(1)).unwrap_or(EVALUATIONS).min(EVALUATIONS);
    let defined = definitions(exprs, slice);
    let mut search = Search { exprs, slice, defined, left, random: 0x9e37_79b9_7f4a_7c15 };
    let mut round = 0;
    let mut model = parent.clone();
    while search.left > 0 {
        if let Some(found) = search.climb(model, inputs) {
            return Some(found);
        }
        model = parent.clone();
        let spread = SPREADS[round % SPREADS.len()];
        for &input in inputs {
            let value = search.drawn(spread);
            search.set(&mut model, input, value);
        }
        round += 1;
    }
    None
}

/// What equalities of a slice define, each input once and none in a circle: an expression has no input that
/// is defined before it.
fn definitions(exprs: &Exprs, slice: &[Cond]) -> Vec<(Input, Expr)> {
    let mut all = Vec::new();
    slice.iter().for_each(|cond| exprs.definitions_in(*cond, &mut all));
    let mut kept: Vec<(Input, Expr)> = Vec::new();
    for (input, of) in all {
        let is_free = |(before, by): &(Input, Expr)| {
            *before != input
                && !exprs.inputs_of_expr(of).contains(before)
                && !exprs.inputs_of_expr(*by).contains(&input)
        };
        if kept.iter().all(is_free) {
            kept.push((input, of));
        }
    }
    kept
}

impl Search<'_> {
    fn is_defined(&self, input: Input) -> bool {
        self.defined.iter().any(|(defined, _)| *defined == input)
    }

    /// Gives inputs that are defined by others their values.
    fn follow(&self, model: &mut Assignment) {
        for &(input, of) in &self.defined {
            model.set(self.exprs, input, self.exprs.eval(of, model));
        }
    }

    /// How far a model is; infinite if nothing is left to be spent.
    fn distance(&mut self, model: &mut Assignment, inputs: &[Input]) -> f64 {
        self.follow(model);
        if self.left == 0 || !self.exprs.in_range(inputs, model) {
            return f64::INFINITY;
        }
        self.left -= 1;
        self.slice.iter().map(|cond| self.exprs.distance(*cond, model)).sum()
    }

    /// Moves one input after the other until nothing falls any more.
    fn climb(&mut self, mut model: Assignment, inputs: &[Input]) -> Option<Assignment> {
        let mut best = self.distance(&mut model, inputs);
        while best > 0.0 && best.is_finite() {
            let before = best;
            for &input in inputs.iter().filter(|input| !self.is_defined(**input)).collect::<Vec<_>>() {
                best = self.slide(&mut model, input, inputs, best);
            }
            if best >= before {
                return None;
            }
        }
        (best == 0.0).then_some(model)
    }

    /// Moves one input as long as the distance falls; the distance then.
    fn slide(&mut self, model: &mut Assignment, input: Input, inputs: &[Input], mut best: f64) -> f64 {
        let is_int = self.exprs.input_of(input).kind.kind().is_int();
        let amounts = AMOUNTS.iter().map(|amount| Step::Amount(*amount));
        let places = LAST_PLACES.iter().filter(|_| !is_int).map(|places| Step::Places(*places));
        for first in amounts.chain(places) {
            for direction in [1.0, -1.0] {
                let mut step = first.times(direction);
                loop {
                    let mut next = model.clone();
                    if best == 0.0 || !self.step(&mut next, input, step) {
                        break;
                    }
                    let distance = self.distance(&mut next, inputs);
                    if distance >= best || distance.is_nan() {
                        break;
                    }
                    (best, *model) = (distance, next);
                    step = step.times(2.0);
                }
            }
        }
        best
    }

    /// Whether the input has another value then.
    fn step(&self, model: &mut Assignment, input: Input, step: Step) -> bool {
        let old = model.get(self.exprs, input);
        let now = match old {
            Const::I32(n) => f64::from(n),
            Const::I64(n) => n as f64,
            Const::F32(bits) => f64::from(f32::from_bits(bits)),
            Const::F64(bits) => f64::from_bits(bits),
        };
        let moved = match (step, old) {
            (Step::Amount(amount), _) => now + amount,
            (Step::Places(places), Const::F32(bits)) => {
                let ordered = i64::from(ordered32(bits as i32)) + places;
                match i32::try_from(ordered) {
                    Ok(ordered) => f64::from(f32::from_bits(ordered32(ordered) as u32)),
                    Err(_) => return false,
                }
            }
            (Step::Places(places), _) => match ordered64(now.to_bits() as i64).checked_add(places) {
                Some(ordered) => f64::from_bits(ordered64(ordered) as u64),
                None => return false,
            },
        };
        self.set(model, input, moved);
        model.get(self.exprs, input) != old && !moved.is_nan()
    }

    fn set(&self, model: &mut Assignment, input: Input, value: f64) {
        let value = match self.exprs.input_of(input).kind.kind() {
            Kind::F32 => Const::f32(value as f32),
            Kind::F64 => Const::f64(value),
            kind => {
                let (low, high) = self.exprs.interval(self.exprs.expr_of(input));
                let whole = (value.round() as i64).clamp(low, high);
                if kind == Kind::I64 { Const::I64(whole) } else { Const::I32(whole as i32) }
            }
        };
        model.set(self.exprs, input, value);
    }

    /// A number within a distance of zero.
    fn drawn(&mut self, spread: f64) -> f64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        ((self.random >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0) * spread
    }
}

/// How an input is moved.
#[derive(Clone, Copy)]
enum Step {
    Amount(f64),
    Places(i64),
}

impl Step {
    fn times(self, factor: f64) -> Step {
        match self {
            Step::Amount(amount) => Step::Amount(amount * factor),
            Step::Places(places) => Step::Places((places as f64 * factor) as i64),
        }
    }
}

/// The bits of a float as a number that grows with the float; its own inverse.
fn ordered64(bits: i64) -> i64 {
    if bits < 0 { i64::MIN.wrapping_sub(bits) } else { bits }
}

fn ordered32(bits: i32) -> i32 {
    if bits < 0 { i32::MIN.wrapping_sub(bits) } else { bits }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evergreen_symbolic::{Binary, Function, InputKind, Ints, Rel};

    #[test]
    fn equalities_of_functions_are_hit() {
        let mut exprs = Exprs::new(Ints::Wrapped);
        let x = exprs.input("x", InputKind::Double, None);
        let y = exprs.input("y", InputKind::Double, None);
        let (sine, cosine) = (exprs.function(Function::Sin, x, x), exprs.function(Function::Cos, y, y));
        let difference = exprs.binary(Binary::Sub, sine, cosine);
        let zero = exprs.constant(Const::f64(0.0));
        let equal = exprs.relate(Rel::Eq, difference, zero);
        let ten = exprs.constant(Const::f64(10.0));
        let beyond = exprs.relate(Rel::Gt, x, ten);
        let inputs = [exprs.as_input(x).expect("an input"), exprs.as_input(y).expect("an input")];
        let slice = [equal, beyond];
        let model = search(&exprs, &slice, &inputs, &Assignment::new()).expect("a model");
        assert!(slice.iter().all(|cond| exprs.holds(*cond, &model)));
        let again = search(&exprs, &slice, &inputs, &Assignment::new()).expect("a model");
        assert_eq!(
            inputs.map(|input| again.get(&exprs, input)),
            inputs.map(|input| model.get(&exprs, input))
        );
        // An input that an equality defines follows the others.
        let three = exprs.constant(Const::f64(3.0));
        let scaled = exprs.binary(Binary::Mul, y, three);
        let follows = exprs.relate(Rel::Eq, x, scaled);
        let above = exprs.relate(Rel::Gt, cosine, zero);
        let slice = [follows, beyond, above];
        assert!(search(&exprs, &slice, &inputs, &Assignment::new()).is_some());
        // Nothing satisfies this: the search ends.
        let two = exprs.constant(Const::f64(2.0));
        let large = exprs.relate(Rel::Gt, sine, two);
        assert!(search(&exprs, &[large], &inputs[..1], &Assignment::new()).is_none());
    }

    #[test]
    fn bits_in_order() {
        let all = [f64::NEG_INFINITY, -1.0, -f64::MIN_POSITIVE, 0.0, 1e-300, 2.0, f64::INFINITY];
        let ordered = all.map(|value| ordered64(value.to_bits() as i64));
        assert!(ordered.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(ordered.map(|bits| f64::from_bits(ordered64(bits) as u64)), all);
    }
}
