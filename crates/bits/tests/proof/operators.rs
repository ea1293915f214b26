//! Every function, as circuits and as evaluation, against the evaluator of terms: all arguments up to four
//! bits, random and extreme ones at other widths.

use super::{CLAUSES, VALUES, attempt};
use crate::functions::{BINARY, OVERFLOWS, RELATIONS};
use evergreen_bits::proof::Attempt;
use evergreen_structures::Random;
use evergreen_term::{Evaluator, Fun, Indexed, Model, TermId, Terms, Value};

/// Functions of two vectors of one width.
fn binary() -> impl Iterator<Item = Fun> {
    BINARY.into_iter().chain(RELATIONS).chain(OVERFLOWS).chain([Fun::BvComp, Fun::Concat])
}

/// A function, applied to x and y (or to x alone).
#[derive(Clone, Copy, Debug)]
enum Applied {
    Binary(Fun),
    Unary(Fun),
    Indexed(Indexed, u32, u32),
    /// `ite(x < y, x, y)`.
    Choice,
}

fn build(terms: &mut Terms, applied: Applied, x: TermId, y: TermId) -> TermId {
    match applied {
        Applied::Binary(fun) => terms.app(fun, &[x, y]).unwrap(),
        Applied::Unary(fun) => terms.app(fun, &[x]).unwrap(),
        Applied::Indexed(fun, i, j) => terms.indexed(fun, i, j, &[x]).unwrap(),
        Applied::Choice => {
            let less = terms.app(Fun::BvUlt, &[x, y]).unwrap();
            terms.app(Fun::Ite, &[less, x, y]).unwrap()
        }
    }
}

fn unary(width: u32) -> Vec<Applied> {
    let mut all = vec![Applied::Unary(Fun::BvNot), Applied::Unary(Fun::BvNeg), Applied::Unary(Fun::BvNego)];
    for i in 0..width {
        all.extend((0..=i).map(|j| Applied::Indexed(Indexed::Extract, i, j)));
    }
    for n in 0..=3 {
        all.push(Applied::Indexed(Indexed::ZeroExtend, n, 0));
        all.push(Applied::Indexed(Indexed::SignExtend, n, 0));
        all.push(Applied::Indexed(Indexed::Repeat, n + 1, 0));
    }
    for n in 0..=width + 2 {
        all.push(Applied::Indexed(Indexed::RotateLeft, n, 0));
        all.push(Applied::Indexed(Indexed::RotateRight, n, 0));
    }
    all
}

/// That the value of a function at two arguments, and no other, is what the evaluator of terms says.
fn agree(applied: Applied, width: u32, a: u64, b: u64) {
    let mut terms = Terms::new();
    let sort = terms.bitvec_sort(width);
    let (x, y) = (terms.constant("x", sort), terms.constant("y", sort));
    let (left, right) = (terms.bv(width, a.into()), terms.bv(width, b.into()));
    let folded = build(&mut terms, applied, left, right);
    let value =
        Evaluator::new(&terms, &Model::new()).evaluate(folded).expect("literals have a value").clone();
    let is_bool = matches!(value, Value::Bool(_));
    let value = terms.literal(value);
    let term = build(&mut terms, applied, x, y);
    // Symbols on both sides, or canonizing folds `ite(x < y, …) = literal` away.
    let fixed = [(x, left), (y, right)].map(|(x, value)| terms.app(Fun::Eq, &[x, value]).unwrap());
    let same = terms.app(Fun::Eq, &[term, value]).unwrap();
    let other = terms.app(Fun::Not, &[same]).unwrap();
    let place = format!("{applied:?} at width {width} of {a} and {b}");
    for (constraint, is_sat) in [(same, true), (other, false)] {
        let constraints = [fixed[0], fixed[1], constraint];
        let by_clauses = attempt(&terms, &constraints, CLAUSES);
        match is_sat {
            true => assert_eq!(by_clauses, Attempt::Satisfiable, "{place}"),
            false => assert!(matches!(by_clauses, Attempt::Proved(_)), "{place}: {by_clauses:?}"),
        }
        // A leaf whose values can be gone through is what evaluation needs.
        let by_values = attempt(&terms, &constraints, VALUES);
        let is_proved = matches!(by_values, Attempt::Proved(_));
        assert_eq!(is_proved, !is_sat && width <= 8, "{place} {is_bool}: {by_values:?}");
    }
}

#[test]
fn functions_of_two_vectors_agree_for_all_arguments_of_small_widths() {
    for width in 1..=4 {
        for applied in binary().map(Applied::Binary).chain([Applied::Choice]) {
            for at in 0..1u64 << (2 * width) {
                agree(applied, width, at & ((1 << width) - 1), at >> width);
            }
        }
    }
}

#[test]
fn functions_of_one_vector_agree_for_all_arguments_of_small_widths() {
    for width in 1..=5 {
        for applied in unary(width) {
            for at in 0..1 << width {
                agree(applied, width, at, 0);
            }
        }
    }
}

#[test]
fn functions_agree_at_larger_widths() {
    let mut random = Random::new(17);
    for width in [7, 8, 16, 31, 32, 33, 64] {
        let mask = u64::MAX >> (64 - width);
        let (lowest, highest) = (1u64 << (width - 1), (1u64 << (width - 1)) - 1);
        let special = [0, 1, 2, u64::from(width) - 1, u64::from(width), lowest, highest, mask, mask - 1];
        let any = |random: &mut Random| match random.below(3) {
            0 => special[random.below(special.len())] & mask,
            1 => random.next() >> random.below(64) & mask,
            _ => random.next() & mask,
        };
        let concat = |applied: &Applied| !matches!(applied, Applied::Binary(Fun::Concat)) || width <= 32;
        for applied in binary().map(Applied::Binary).chain([Applied::Choice]).filter(concat) {
            for _ in 0..if width > 32 { 2 } else { 6 } {
                let (a, b) = (any(&mut random), any(&mut random));
                agree(applied, width, a, b);
            }
        }
        for applied in unary(width).into_iter().filter(|a| fits(*a, width)) {
            if random.one_in(1 + width as usize / 4) {
                let a = any(&mut random);
                agree(applied, width, a, 0);
            }
        }
    }
}

/// Whether the value of a function with indices has at most 64 bits.
fn fits(applied: Applied, width: u32) -> bool {
    match applied {
        Applied::Indexed(Indexed::Repeat, n, _) => width * n <= 64,
        Applied::Indexed(Indexed::ZeroExtend | Indexed::SignExtend, n, _) => width + n <= 64,
        _ => true,
    }
}
