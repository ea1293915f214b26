//! The functions of bit vectors as circuits: the plainest one for each, because these are trusted.
//!
//! Vectors have their lowest bit first. All arguments of a function have one width, except where it says
//! otherwise.

use super::gates::{Bit, Gates};

/// The vector of a word.
pub(super) fn constant(width: u32, value: u64) -> Vec<Bit> {
    (0..width).map(|i| Bit::constant(value >> i & 1 == 1)).collect()
}

fn negated(a: &[Bit]) -> Vec<Bit> {
    a.iter().map(|b| !*b).collect()
}

fn sign(a: &[Bit]) -> Bit {
    a[a.len() - 1]
}

/// With copies of a bit above, up to a width.
pub(super) fn extended(a: &[Bit], width: usize, by: Bit) -> Vec<Bit> {
    let mut extended = a.to_vec();
    extended.resize(width, by);
    extended
}

/// Whether a vector is the least signed one.
fn is_lowest(gates: &mut Gates, a: &[Bit]) -> Bit {
    let mut bits = negated(a);
    let top = bits.len() - 1;
    bits[top] = !bits[top];
    gates.all(&bits)
}

pub(super) fn mux(gates: &mut Gates, condition: Bit, yes: &[Bit], no: &[Bit]) -> Vec<Bit> {
    yes.iter().zip(no).map(|(y, n)| gates.mux(condition, *y, *n)).collect()
}

pub(super) fn equal(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Bit {
    // No gates for vectors that differ in one place for sure, such as the indices of a table's cells.
    if a.iter().zip(b).any(|(x, y)| *x == !*y) {
        return Bit::FALSE;
    }
    let same: Vec<Bit> = a.iter().zip(b).map(|(x, y)| !gates.xor(*x, *y)).collect();
    gates.all(&same)
}

/// The sum, by a carry that ripples from the lowest bit, and the last carry.
fn add_with_carry(gates: &mut Gates, a: &[Bit], b: &[Bit], mut carry: Bit) -> (Vec<Bit>, Bit) {
    let mut sum = Vec::with_capacity(a.len());
    for (&x, &y) in a.iter().zip(b) {
        let odd = gates.xor(x, y);
        sum.push(gates.xor(odd, carry));
        // Of two bits that differ the carry goes on; two that are equal decide it.
        carry = gates.mux(odd, carry, x);
    }
    (sum, carry)
}

pub(super) fn add(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    add_with_carry(gates, a, b, Bit::FALSE).0
}

pub(super) fn subtract(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    add_with_carry(gates, a, &negated(b), Bit::TRUE).0
}

pub(super) fn negate(gates: &mut Gates, a: &[Bit]) -> Vec<Bit> {
    let zero = vec![Bit::FALSE; a.len()];
    subtract(gates, &zero, a)
}

/// The negated vector where the condition holds.
fn negate_if(gates: &mut Gates, condition: Bit, a: &[Bit]) -> Vec<Bit> {
    let minus = negate(gates, a);
    mux(gates, condition, &minus, a)
}

/// The product, by additions of the shifted first factor.
pub(super) fn multiply(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    // The factor with the constants is the one that is gone through: a zero in it adds nothing.
    let (a, b) = if a.iter().all(|bit| bit.is_constant()) { (b, a) } else { (a, b) };
    let mut product = vec![Bit::FALSE; a.len()];
    for (i, &factor) in b.iter().enumerate() {
        let mut shifted = vec![Bit::FALSE; i];
        shifted.extend(a[..a.len() - i].iter().map(|x| gates.and(*x, factor)));
        product = add(gates, &product, &shifted);
    }
    product
}

/// Quotient and remainder, by restoring division. A divisor of zero goes into everything: the quotient is
/// all ones and nothing is ever taken away from the dividend, as SMT-LIB wants it.
fn divide(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> (Vec<Bit>, Vec<Bit>) {
    let width = a.len();
    let divisor = extended(b, width + 1, Bit::FALSE);
    let mut quotient = vec![Bit::FALSE; width];
    let mut rest = vec![Bit::FALSE; width];
    for i in (0..width).rev() {
        // One bit wider: twice a rest below the divisor.
        let mut wide = vec![a[i]];
        wide.extend(&rest);
        let goes = !less(gates, &wide, &divisor);
        let less = subtract(gates, &wide, &divisor);
        wide = mux(gates, goes, &less, &wide);
        wide.truncate(width);
        rest = wide;
        quotient[i] = goes;
    }
    (quotient, rest)
}

pub(super) fn quotient(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    divide(gates, a, b).0
}

pub(super) fn remainder(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    divide(gates, a, b).1
}

/// Both without their signs.
fn magnitudes(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> (Vec<Bit>, Vec<Bit>) {
    (negate_if(gates, sign(a), a), negate_if(gates, sign(b), b))
}

pub(super) fn signed_quotient(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    let (x, y) = magnitudes(gates, a, b);
    let quotient = quotient(gates, &x, &y);
    let differ = gates.xor(sign(a), sign(b));
    negate_if(gates, differ, &quotient)
}

/// With the sign of the dividend.
pub(super) fn signed_remainder(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    let (x, y) = magnitudes(gates, a, b);
    let rest = remainder(gates, &x, &y);
    negate_if(gates, sign(a), &rest)
}

/// With the sign of the divisor.
pub(super) fn signed_modulo(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    let rest = signed_remainder(gates, a, b);
    let sum = add(gates, &rest, b);
    let differ = gates.xor(sign(a), sign(b));
    let some = gates.any(&rest);
    let moves = gates.and(differ, some);
    mux(gates, moves, &sum, &rest)
}

/// `a < b`, unsigned: the highest bit in which they differ decides.
pub(super) fn less(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Bit {
    let mut less = Bit::FALSE;
    for (&x, &y) in a.iter().zip(b) {
        let differ = gates.xor(x, y);
        less = gates.mux(differ, y, less);
    }
    less
}

/// `a < b`, signed: the highest bit counts the other way.
pub(super) fn signed_less(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Bit {
    let flipped = |a: &[Bit]| {
        let mut flipped = a.to_vec();
        let top = flipped.len() - 1;
        flipped[top] = !flipped[top];
        flipped
    };
    less(gates, &flipped(a), &flipped(b))
}

/// Which way, and what comes in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shift {
    Left,
    Right,
    RightWithSign,
}

/// A shift, one stage for each bit of the distance; a stage that shifts by the width or more leaves nothing.
pub(super) fn shift(gates: &mut Gates, kind: Shift, a: &[Bit], by: &[Bit]) -> Vec<Bit> {
    let width = a.len();
    let fill = if kind == Shift::RightWithSign { sign(a) } else { Bit::FALSE };
    let mut value = a.to_vec();
    for (stage, &on) in by.iter().enumerate() {
        let distance = 1usize.checked_shl(stage as u32).unwrap_or(width).min(width);
        let moved: Vec<Bit> = (0..width)
            .map(|i| match kind {
                Shift::Left => i.checked_sub(distance).map_or(fill, |from| value[from]),
                Shift::Right | Shift::RightWithSign => value.get(i + distance).copied().unwrap_or(fill),
            })
            .collect();
        value = mux(gates, on, &moved, &value);
    }
    value
}

/// Whether an unsigned sum does not fit.
pub(super) fn add_overflows(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Bit {
    add_with_carry(gates, a, b, Bit::FALSE).1
}

/// Whether an unsigned product does not fit.
pub(super) fn multiply_overflows(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Bit {
    let width = a.len();
    let wide = |a: &[Bit]| extended(a, 2 * width, Bit::FALSE);
    let product = multiply(gates, &wide(a), &wide(b));
    gates.any(&product[width..])
}

/// Whether the signed value of a wide vector does not fit into a width: not all bits from the sign on agree.
fn does_not_fit(gates: &mut Gates, wide: &[Bit], width: usize) -> Bit {
    let top = &wide[width - 1..];
    let (all, any) = (gates.all(top), gates.any(top));
    gates.and(!all, any)
}

/// Whether the signed result of a function does not fit, by doing it with twice the bits.
pub(super) fn signed_overflows(
    gates: &mut Gates,
    a: &[Bit],
    b: &[Bit],
    function: fn(&mut Gates, &[Bit], &[Bit]) -> Vec<Bit>,
) -> Bit {
    let width = a.len();
    let wide = |a: &[Bit]| extended(a, 2 * width, sign(a));
    let result = function(gates, &wide(a), &wide(b));
    does_not_fit(gates, &result, width)
}

/// Whether the negated value does not fit.
pub(super) fn negate_overflows(gates: &mut Gates, a: &[Bit]) -> Bit {
    is_lowest(gates, a)
}

/// Whether the signed quotient does not fit: only the least number by -1.
pub(super) fn divide_overflows(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Bit {
    let (lowest, minus_one) = (is_lowest(gates, a), gates.all(b));
    gates.and(lowest, minus_one)
}
