//! Inputs by search, where no solver can be asked: conditions with sines, powers, remainders of floats.
//!
//! The alternating variable method [Korel TSE'90]: one input at a time is moved, with steps that double as
//! long as the distance to the conditions falls ([`Exprs::distance`]). Floats move by amounts and by units in
//! the last place: amounts find the neighbourhood, last places hit an equality. From a dead end the search
//! begins again elsewhere.
//!
//! Every other start wanders instead: up to three inputs at once are moved by random amounts of any size, and
//! a move that does not go further away is kept. Where ten inequalities share six inputs, every move of one
//! input breaks something; there wandering needs 3,000 evaluations, and one input at a time 10 million.
//!
//! The search is bounded in evaluations, not in time, and its random numbers have one seed: the inputs of a
//! path are a function of the path.

use evergreen_symbolic::{Assignment, Cond, Const, Expr, Exprs, Input, Kind};

/// Evaluations of the conditions for one arm, at most.
const EVALUATIONS: u32 = 100_000;
/// Nodes of all conditions times evaluations, at most.
const WORK: u64 = 12_000_000;
/// Of all random numbers.
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
/// Amounts by which numbers are first moved.
const AMOUNTS: [f64; 7] = [1.0, 0.1, 10.0, 1e-3, 1000.0, 1e-6, 1e6];
/// Units in the last place by which floats are first moved.
const LAST_PLACES: [i64; 5] = [1, 1 << 12, 1 << 24, 1 << 36, 1 << 46];
/// A walk ends when so many moves one after the other came no nearer.
const IN_VAIN: u32 = 200;
/// Random amounts are powers of ten up to this one, and down to its inverse.
const DECADES: f64 = 3.0;
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
    Search { exprs, slice, defined, left, random: SEED }.run(inputs, parent)
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
    /// From the parent's inputs, and then from random ones, until nothing is left to be spent.
    fn run(&mut self, inputs: &[Input], parent: &Assignment) -> Option<Assignment> {
        let mut model = parent.clone();
        let mut round = 0;
        while self.left > 0 {
            let found = match round % 2 {
                0 => self.climb(model, inputs),
                _ => self.wander(model, inputs),
            };
            if found.is_some() {
                return found;
            }
            model = parent.clone();
            let spread = SPREADS[round / 2 % SPREADS.len()];
            for &input in inputs {
                let value = self.drawn(spread);
                self.set(&mut model, input, value);
            }
            round += 1;
        }
        None
    }

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

    /// Moves some inputs at random; keeps what is not further away.
    fn wander(&mut self, mut model: Assignment, inputs: &[Input]) -> Option<Assignment> {
        let mut best = self.distance(&mut model, inputs);
        let mut in_vain = 0;
        while best > 0.0 && in_vain < IN_VAIN && self.left > 0 {
            let mut next = model.clone();
            for _ in 0..=self.below(3) {
                let input = inputs[self.below(inputs.len())];
                let old = number(model.get(self.exprs, input));
                let moved = match self.below(4) {
                    0 | 1 => {
                        let decades = self.drawn(DECADES);
                        old + self.drawn(10f64.powf(decades))
                    }
                    2 => old * (1.0 + self.drawn(1.0)),
                    _ => -old,
                };
                self.set(&mut next, input, moved);
            }
            let distance = self.distance(&mut next, inputs);
            in_vain = if distance < best { 0 } else { in_vain + 1 };
            if distance <= best {
                (best, model) = (distance, next);
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
        let now = number(old);
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

    fn bits(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random >> 11
    }

    /// A number within a distance of zero.
    fn drawn(&mut self, spread: f64) -> f64 {
        (self.bits() as f64 / (1u64 << 53) as f64 * 2.0 - 1.0) * spread
    }

    /// A number from 0 on.
    fn below(&mut self, bound: usize) -> usize {
        (self.bits() % bound as u64) as usize
    }
}

fn number(value: Const) -> f64 {
    match value {
        Const::I32(n) => f64::from(n),
        Const::I64(n) => n as f64,
        Const::F32(bits) => f64::from(f32::from_bits(bits)),
        Const::F64(bits) => f64::from_bits(bits),
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
    use evergreen_symbolic::{Binary, Function, InputKind, Ints, Rel, Unary};
    use std::cell::RefCell;

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
    fn inequalities_that_share_inputs_are_found() {
        let exprs = RefCell::new(Exprs::new(Ints::Wrapped));
        let input = |name| exprs.borrow_mut().input(name, InputKind::Double, None);
        let [x, y, z, w, t, v] = ["x", "y", "z", "w", "t", "v"].map(input);
        let two = |op| move |exprs: &RefCell<Exprs>, a, b| exprs.borrow_mut().binary(op, a, b);
        let (add, sub, mul, div) = (two(Binary::Add), two(Binary::Sub), two(Binary::Mul), two(Binary::Div));
        let (add, sub) = (|a, b| add(&exprs, a, b), |a, b| sub(&exprs, a, b));
        let (mul, div) = (|a, b| mul(&exprs, a, b), |a, b| div(&exprs, a, b));
        let log = |a| exprs.borrow_mut().function(Function::Log, a, a);
        let sin = |a| exprs.borrow_mut().function(Function::Sin, a, a);
        let cos = |a| exprs.borrow_mut().function(Function::Cos, a, a);
        let tan = |a| exprs.borrow_mut().function(Function::Tan, a, a);
        let root = |a| exprs.borrow_mut().unary(Unary::Sqrt, a);
        let log10 = |a| exprs.borrow_mut().function(Function::Log10, a, a);
        let pow = |a, b| exprs.borrow_mut().function(Function::Pow, a, b);
        let below = [
            (div(add(z, t), add(w, t)), add(sub(x, y), tan(v))),
            (log(add(add(t, w), z)), log(mul(x, y))),
            (div(z, y), root(sub(x, t))),
            (add(add(z, w), mul(x, x)), mul(pow(y, t), cos(v))),
            (add(x, y), add(z, w)),
            (w, div(x, y)),
            (sub(add(w, y), z), x),
            (log10(mul(t, x)), root(mul(w, mul(y, z)))),
            (log(mul(w, z)), mul(x, cos(add(t, y)))),
            (cos(y), mul(cos(t), sin(v))),
            (add(sin(mul(x, y)), sin(mul(z, w))), cos(mul(t, v))),
            (sin(mul(x, z)), cos(mul(t, w))),
            (sin(mul(w, y)), mul(cos(mul(x, v)), cos(z))),
        ];
        let slice = below.map(|(less, more)| exprs.borrow_mut().relate(Rel::Lt, less, more));
        let exprs = exprs.into_inner();
        let inputs = [x, y, z, w, t, v].map(|input| exprs.as_input(input).expect("an input"));
        // Moving one input at a time does not get there from each of these seeds.
        for seed in 0..8 {
            let random = SEED ^ (seed << 40);
            let mut search =
                Search { exprs: &exprs, slice: &slice, defined: Vec::new(), left: EVALUATIONS, random };
            let model = search.run(&inputs, &Assignment::new()).unwrap_or_else(|| panic!("seed {seed}"));
            assert!(slice.iter().all(|cond| exprs.holds(*cond, &model)));
        }
    }

    #[test]
    fn bits_in_order() {
        let all = [f64::NEG_INFINITY, -1.0, -f64::MIN_POSITIVE, 0.0, 1e-300, 2.0, f64::INFINITY];
        let ordered = all.map(|value| ordered64(value.to_bits() as i64));
        assert!(ordered.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(ordered.map(|bits| f64::from_bits(ordered64(bits) as u64)), all);
    }
}
