//! Values that are tried again at operations without symbols: those that the program compares with, and
//! random ones.
//!
//! A text that is compared with is a text for a text, and a number for a number: what `"" + x` is compared
//! with says which x. A scaled number is compared with a scaled one, so halves, tenths and their like are
//! tried, too. Random values are a function of their number and of the model that they change, which is a
//! function of the path; one input in three tries changes alone, in the others some do. Each kind of value
//! has several laws, since none finds everything: short decimals, numbers of growing size, numbers near the
//! old one, any bits.

use crate::BranchOracle;
use evergreen_explore::{Hint, Path, Random};
use evergreen_symbolic::{Assignment, Cond, Const, Exprs, Input, InputKind, Kind};

/// Of all random numbers.
const SEED: u64 = 0x5eed_0f7e_57ed;
/// Inputs that a number is tried for, one at a time.
const INPUTS: usize = 8;
/// Random values that are tried for an arm that nothing has decided, at most.
const DRAWS: u32 = 4_000;
/// Nodes of all conditions times such values, at most.
const WORK: usize = 8_000_000;
/// What a computation may have scaled a number by before it was compared.
const SCALES: [f64; 9] = [1.0, 0.5, 2.0, 0.1, 10.0, 0.01, 100.0, 0.25, 1e-3];

impl BranchOracle {
    /// See [`evergreen_explore::Oracle::hinted`].
    pub(crate) fn hinted_models(
        &mut self,
        path: &Path<Cond>,
        constraint: Cond,
        model: &Assignment,
        hint: &Hint,
    ) -> Vec<Assignment> {
        let shared = self.exprs();
        let exprs = shared.borrow();
        let inputs = sorted_inputs(&exprs, constraint);
        let mut all = Vec::new();
        let number = match hint {
            Hint::Number(number) => Some(*number),
            Hint::Text(units) => {
                all.extend(
                    texts(&exprs, &inputs).iter().filter_map(|name| with_text(&exprs, model, name, units)),
                );
                number_in(&String::from_utf16_lossy(units))
            }
        };
        let numeric = inputs.iter().filter(|input| !is_of_text(&exprs, **input)).take(INPUTS);
        for (input, number) in numeric.flat_map(|input| number.map(|number| (*input, number))) {
            let offsets = [1.0, -1.0].map(|offset| number + offset);
            for value in SCALES.map(|scale| number * scale).into_iter().chain(offsets).chain([-number]) {
                all.extend(with_number(&exprs, model, input, value));
            }
        }
        let conditions = path.constraints();
        let is_other = |values: &Assignment| {
            inputs.iter().any(|input| values.get(&exprs, *input) != model.get(&exprs, *input))
        };
        all.retain(|values| {
            is_other(values)
                && exprs.in_range(&inputs, values)
                && conditions.iter().all(|condition| exprs.holds(*condition, values))
        });
        all
    }

    /// See [`evergreen_explore::Oracle::drawn`].
    pub(crate) fn drawn_model(
        &mut self,
        path: &Path<Cond>,
        constraint: Cond,
        model: &Assignment,
        number: u32,
    ) -> Option<Assignment> {
        let shared = self.exprs();
        let exprs = shared.borrow();
        let inputs = sorted_inputs(&exprs, constraint);
        let values = changed(&exprs, &inputs, model, number)?;
        let holds = |condition: &Cond| exprs.holds(*condition, &values);
        path.constraints().iter().all(holds).then_some(values)
    }
}

/// A model of the conditions of a slice, which are about these inputs: random values for an arm that nothing
/// has decided, such as that a digest begins with a certain byte.
pub(crate) fn draw(
    exprs: &Exprs,
    slice: &[Cond],
    inputs: &[Input],
    parent: &Assignment,
) -> Option<Assignment> {
    let nodes: usize = slice.iter().map(|condition| exprs.nodes_of(*condition)).sum();
    let most = u32::try_from(WORK / nodes.max(1)).unwrap_or(DRAWS).min(DRAWS);
    let drawn = |number| changed(exprs, inputs, parent, number);
    (1..=most).filter_map(drawn).find(|values| slice.iter().all(|condition| exprs.holds(*condition, values)))
}

/// A model with other values for some inputs, all of them in their ranges.
fn changed(exprs: &Exprs, inputs: &[Input], model: &Assignment, number: u32) -> Option<Assignment> {
    let mut random = Random::for_index(SEED, u64::from(number));
    let mut values = model.clone();
    let count = match number % 3 {
        _ if inputs.is_empty() => return None,
        0 => 1,
        1 => 1 + random.below(inputs.len()),
        _ => inputs.len(),
    };
    for at in 0..count {
        let at = if count == inputs.len() { at } else { random.below(inputs.len()) };
        values.set(exprs, inputs[at], drawn(exprs, inputs[at], model, &mut random, number));
    }
    exprs.in_range(inputs, &values).then_some(values)
}

fn sorted_inputs(exprs: &Exprs, constraint: Cond) -> Vec<Input> {
    let mut inputs = exprs.inputs_of(constraint).to_vec();
    exprs.sort_by_name(&mut inputs);
    inputs
}

/// The input of which this is an element or the length.
fn whole_of(name: &str) -> Option<&str> {
    match name.strip_suffix(".length") {
        Some(whole) => Some(whole),
        None => name.strip_suffix(']').and_then(|name| name.rsplit_once('[')).map(|(whole, _)| whole),
    }
}

/// Whether an input is a character or a length, which a number is not tried for.
fn is_of_text(exprs: &Exprs, input: Input) -> bool {
    let info = exprs.input_of(input);
    info.kind == InputKind::Char || info.asked_name().ends_with(".length")
}

/// The texts and arrays of bytes that some inputs are parts of, each once.
fn texts(exprs: &Exprs, inputs: &[Input]) -> Vec<String> {
    let may_be = |input: &&Input| {
        let info = exprs.input_of(**input);
        matches!(info.kind, InputKind::Char | InputKind::Byte) || info.asked_name().ends_with(".length")
    };
    let names = inputs.iter().filter(may_be).map(|input| exprs.input_of(*input).asked_name());
    let mut all: Vec<String> = names.filter_map(whole_of).map(str::to_string).collect();
    all.dedup();
    all
}

/// A model with the characters of a text, as many as there are inputs for, and its length; `None` if one of
/// them is outside of its range.
fn with_text(exprs: &Exprs, model: &Assignment, name: &str, units: &[u16]) -> Option<Assignment> {
    let mut values = model.clone();
    let mut touched = Vec::new();
    for input in exprs.named(&format!("{name}.length")) {
        values.set(exprs, *input, Const::I32(units.len() as i32));
        touched.push(*input);
    }
    for (at, unit) in units.iter().enumerate() {
        for input in exprs.named(&format!("{name}[{at}]")) {
            let value = match exprs.input_of(*input).kind {
                InputKind::Byte => i32::from(*unit as i8),
                _ => i32::from(*unit),
            };
            values.set(exprs, *input, Const::I32(value));
            touched.push(*input);
        }
    }
    exprs.in_range(&touched, &values).then_some(values)
}

/// The number that a text is or has in it.
fn number_in(text: &str) -> Option<f64> {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E');
    let parts = text.split(|c: char| !is_part(c)).filter(|part| part.contains(|c: char| c.is_ascii_digit()));
    let trimmed = |part: &str| {
        let plain = part.trim_matches(|c: char| !c.is_ascii_digit() && c != '-');
        part.parse().or_else(|_| plain.parse()).ok()
    };
    parts.into_iter().find_map(trimmed)
}

/// `None` if the input has no such value.
fn with_number(exprs: &Exprs, model: &Assignment, input: Input, number: f64) -> Option<Assignment> {
    let value = match exprs.input_of(input).kind.kind() {
        Kind::F32 => Const::f32(number as f32),
        Kind::F64 => Const::f64(number),
        Kind::I32 => Const::I32(whole(number).and_then(|whole| i32::try_from(whole).ok())?),
        Kind::I64 => Const::I64(whole(number)?),
    };
    let mut values = model.clone();
    values.set(exprs, input, value);
    Some(values)
}

fn whole(number: f64) -> Option<i64> {
    (number.fract() == 0.0 && number.abs() < 9.2e18).then_some(number as i64)
}

/// The value that an input gets.
fn drawn(exprs: &Exprs, input: Input, model: &Assignment, random: &mut Random, number: u32) -> Const {
    let info = exprs.input_of(input);
    let (low, high) = exprs.interval(exprs.expr_of(input));
    // From some bits to all of them in the first hundreds of tries.
    let size = 2 + number / 8 % 62;
    let kind = info.kind.kind();
    if let Kind::F32 | Kind::F64 = kind {
        let old = match model.get(exprs, input) {
            Const::F32(bits) => f64::from(f32::from_bits(bits)),
            Const::F64(bits) => f64::from_bits(bits),
            Const::I32(_) | Const::I64(_) => 0.0,
        };
        let real = real(old, size, random);
        return if kind == Kind::F32 { Const::f32(real as f32) } else { Const::f64(real) };
    }
    let old = model.integer(exprs, input);
    let whole = match info.kind {
        InputKind::Char if random.below(4) > 0 => b' ' as i64 + random.below(95) as i64,
        _ if info.asked_name().ends_with(".length") => match random.below(2) {
            0 => old,
            _ => random.below(2 + number as usize / 32 % 14) as i64,
        },
        _ if high.wrapping_sub(low) as u64 <= 0xffff => {
            low + (random.next() % (high.wrapping_sub(low) as u64 + 1)) as i64
        }
        _ => match random.below(4) {
            0 => old.saturating_add(random.below(33) as i64 - 16),
            1 => 10i64.pow(random.below(18) as u32) * (random.below(19) as i64 - 9),
            _ => (random.next() as i64) >> (64 - size),
        },
    };
    let whole = whole.clamp(low, high);
    if kind == Kind::I64 { Const::I64(whole) } else { Const::I32(whole as i32) }
}

fn real(old: f64, size: u32, random: &mut Random) -> f64 {
    let spread = 2f64.powi(size as i32);
    let unit = |random: &mut Random| (random.next() >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0;
    match random.below(5) {
        0 => (unit(random) * 1000.0).round() / 10f64.powi(random.below(4) as i32),
        1 => (unit(random) * spread).round() / 10f64.powi(random.below(4) as i32),
        2 => unit(random) * spread,
        3 => old * (1.0 + unit(random)) + unit(random),
        _ => f64::from_bits(random.next()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evergreen_symbolic::{Binary, Cast, Ints, Rel};
    use std::cell::RefCell;
    use std::rc::Rc;

    fn oracle(exprs: Exprs) -> BranchOracle {
        let refuse = || unreachable!("no question is asked");
        BranchOracle::new(Rc::new(RefCell::new(exprs)), Box::new(refuse))
    }

    #[test]
    fn a_text_is_a_number_for_a_number_and_a_text_for_a_text() {
        assert_eq!(number_in("6.25"), Some(6.25));
        assert_eq!(number_in("v = -3, w"), Some(-3.0));
        assert_eq!(number_in("end."), None);
        let mut exprs = Exprs::new(Ints::Wrapped);
        let x = exprs.input("x", InputKind::Int, None);
        let length = exprs.input("s.length", InputKind::Int, Some((0, 9)));
        let unit = exprs.input("s[0]", InputKind::Char, Some((0, 0xffff)));
        let sum = exprs.binary(Binary::Add, x, length);
        let sum = exprs.binary(Binary::Add, sum, unit);
        let zero = exprs.constant(Const::I32(0));
        let constraint = exprs.relate(Rel::Eq, sum, zero);
        let is_unit = exprs.relate(Rel::Eq, unit, zero);
        let seven = exprs.constant(Const::I32(7));
        let is_seven = exprs.relate(Rel::Eq, x, seven);
        let inputs = [x, length, unit].map(|expr| exprs.as_input(expr).expect("an input"));
        let mut oracle = oracle(exprs);
        let (path, model) = (Path::new(), Assignment::new());
        let hint = Hint::Text("7".encode_utf16().collect());
        let all = oracle.hinted_models(&path, constraint, &model, &hint);
        let shared = oracle.exprs();
        let got = |values: &Assignment| inputs.map(|input| values.integer(&shared.borrow(), input));
        assert_eq!(got(&all[0]), [0, 1, i64::from(b'7')], "a text");
        assert_eq!(got(&all[1])[0], 7, "a number");
        // Nor is a text that is longer than it may be, even where only a character of it is asked about.
        let long = Hint::Text("longer than nine".encode_utf16().collect());
        assert!(oracle.hinted_models(&path, is_unit, &model, &long).is_empty());
        // Values that are none of the path are not returned.
        let under = oracle.hinted_models(&Path::new().with(is_seven.negated()), constraint, &model, &hint);
        assert_eq!(under.len(), all.len() - 1);
        assert!(under.iter().all(|values| got(values)[0] != 7));
    }

    #[test]
    fn drawn_values_are_a_function_of_their_number() {
        let mut exprs = Exprs::new(Ints::Wrapped);
        let x = exprs.input("x", InputKind::Int, Some((-5, 1 << 20)));
        let y = exprs.input("y", InputKind::Double, None);
        let cast = exprs.cast(Cast::D2I, y);
        let constraint = exprs.relate(Rel::Eq, x, cast);
        let inputs = [x, y].map(|expr| exprs.as_input(expr).expect("an input"));
        let mut oracle = oracle(exprs);
        let shared = oracle.exprs();
        let mut different = std::collections::HashSet::new();
        for number in 1..200 {
            let mut draw = || {
                let values = oracle.drawn_model(&Path::new(), constraint, &Assignment::new(), number)?;
                Some(inputs.map(|input| values.get(&shared.borrow(), input)))
            };
            let drawn = draw().expect("every value in its range is a model");
            assert_eq!(Some(drawn), draw());
            different.insert(format!("{drawn:?}"));
        }
        assert!(different.len() > 150, "{}", different.len());
    }

    #[test]
    fn an_arm_that_nothing_has_decided_is_hit_by_chance() {
        let mut exprs = Exprs::new(Ints::Wrapped);
        let x = exprs.input("x", InputKind::Int, None);
        let mut mixed = x;
        for factor in [0x9e37_79b1u32, 0x85eb_ca6b, 0xc2b2_ae35] {
            let factor = exprs.constant(Const::I32(factor as i32));
            let fifteen = exprs.constant(Const::I32(15));
            let shifted = exprs.binary(Binary::Ushr, mixed, fifteen);
            let folded = exprs.binary(Binary::Xor, mixed, shifted);
            mixed = exprs.binary(Binary::Mul, folded, factor);
        }
        let (low, high) = (exprs.constant(Const::I32(0x7f00)), exprs.constant(Const::I32(0xff)));
        let low = exprs.binary(Binary::And, mixed, low);
        let byte = exprs.binary(Binary::And, mixed, high);
        let (zero, seven) = (exprs.constant(Const::I32(0)), exprs.constant(Const::I32(7)));
        let is_zero = exprs.relate(Rel::Eq, byte, zero);
        let is_seven = exprs.relate(Rel::Eq, low, seven);
        let inputs = [exprs.as_input(x).expect("an input")];
        let parent = Assignment::new();
        let first = draw(&exprs, &[is_zero.negated()], &inputs, &parent).expect("255 of 256");
        let found = draw(&exprs, &[is_zero], &inputs, &first).expect("one of 256");
        assert!(exprs.holds(is_zero, &found));
        assert!(draw(&exprs, &[is_seven], &inputs, &parent).is_none(), "no number is that");
    }
}
