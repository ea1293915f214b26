//! Bit vectors, exactly as SMT-LIB 2.7 defines them: division by zero gives all ones,
//! the remainder the dividend.
//!
//! Up to 128 bits everything is machine arithmetic; beyond, big integers. Each function is written twice for
//! that reason, and the tests hold the two against each other.

use super::{Args, Outcome, Unevaluable};
use crate::{BitVec, Fun, Indexed, Int, Value};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

pub(super) fn apply(fun: Fun, args: &Args<'_, '_>) -> Outcome {
    let first = bits(args.get(0))?;
    match fun {
        Fun::UbvToInt => return Ok(Value::Int(Int::from(BigInt::from(first.to_biguint())))),
        Fun::SbvToInt => return Ok(Value::Int(Int::from(first.to_bigint_signed()))),
        Fun::BvNot => return Ok(Value::BitVec(not(first))),
        Fun::BvNeg => return Ok(Value::BitVec(binary(Fun::BvSub, &BitVec::new(first.width(), 0), first))),
        Fun::BvNego => return Ok(Value::Bool(*first == lowest(first.width()))),
        _ => {}
    }
    let mut value = first.clone();
    for i in 1..args.len() {
        let other = bits(args.get(i))?;
        if fun != Fun::Concat && other.width() != value.width() {
            return Err(Unevaluable::IllSorted);
        }
        if matches!(fun.code(), 60..=67 | 70..=76) {
            return Ok(Value::Bool(predicate(fun, &value, other)));
        }
        value = match fun {
            Fun::Concat => concat(&value, other),
            Fun::BvNand => not(&binary(Fun::BvAnd, &value, other)),
            Fun::BvNor => not(&binary(Fun::BvOr, &value, other)),
            Fun::BvXnor => not(&binary(Fun::BvXor, &value, other)),
            Fun::BvComp => BitVec::new(1, u128::from(value == *other)),
            _ => binary(fun, &value, other),
        };
    }
    Ok(Value::BitVec(value))
}

pub(super) fn indexed(fun: Indexed, i: u32, j: u32, args: &Args<'_, '_>) -> Outcome {
    match (fun, args.get(0)) {
        (Indexed::IntToBv, Value::Int(Int::Small(value))) if i <= 128 => {
            Ok(Value::BitVec(BitVec::new(i, i128::from(*value) as u128)))
        }
        (Indexed::IntToBv, Value::Int(value)) => Ok(Value::BitVec(BitVec::from_bigint(i, &value.to_big()))),
        (Indexed::Divisible, Value::Int(value)) => {
            let rest = value.modulo(&Int::from(i64::from(i))).ok_or(Unevaluable::Unspecified)?;
            Ok(Value::Bool(rest.is_zero()))
        }
        (_, Value::BitVec(value)) => reshape(fun, i, j, value).map(Value::BitVec),
        _ => Err(Unevaluable::IllSorted),
    }
}

fn reshape(fun: Indexed, i: u32, j: u32, value: &BitVec) -> Result<BitVec, Unevaluable> {
    let width = value.width();
    Ok(match fun {
        Indexed::Extract if i >= j && i < width => extract(value, i, j),
        Indexed::ZeroExtend => resize(value, width + i),
        Indexed::SignExtend if !value.bit(width - 1) => resize(value, width + i),
        Indexed::SignExtend => not(&resize(&not(value), width + i)),
        Indexed::RotateLeft | Indexed::RotateRight => {
            let by = i % width;
            let left = if fun == Indexed::RotateLeft || by == 0 { by } else { width - by };
            if left == 0 {
                return Ok(value.clone());
            }
            concat(&extract(value, width - left - 1, 0), &extract(value, width - 1, width - left))
        }
        Indexed::Repeat => repeat(value, i),
        _ => return Err(Unevaluable::Unsupported),
    })
}

fn bits(value: &Value) -> Result<&BitVec, Unevaluable> {
    match value {
        Value::BitVec(value) => Ok(value),
        _ => Err(Unevaluable::IllSorted),
    }
}

/// The machine word of a vector of at most 128 bits.
fn word(value: &BitVec) -> Option<u128> {
    if value.width() <= 128 { value.to_u128() } else { None }
}

fn not(value: &BitVec) -> BitVec {
    match word(value) {
        Some(bits) => BitVec::new(value.width(), !bits),
        None => {
            let ones = BitVec::ones(value.width()).to_biguint();
            BitVec::from_biguint(value.width(), ones - value.to_biguint())
        }
    }
}

/// The smallest signed value.
fn lowest(width: u32) -> BitVec {
    if width <= 128 {
        BitVec::new(width, 1 << (width - 1))
    } else {
        BitVec::from_biguint(width, BigUint::one() << (width - 1))
    }
}

fn resize(value: &BitVec, width: u32) -> BitVec {
    match word(value) {
        Some(bits) => BitVec::new(width, bits),
        None => BitVec::from_biguint(width, value.to_biguint()),
    }
}

fn concat(high: &BitVec, low: &BitVec) -> BitVec {
    let width = high.width() + low.width();
    match (word(high), word(low)) {
        (Some(h), Some(l)) if width <= 128 => BitVec::new(width, (h << low.width()) | l),
        _ => BitVec::from_biguint(width, (high.to_biguint() << low.width()) | low.to_biguint()),
    }
}

fn extract(value: &BitVec, high: u32, low: u32) -> BitVec {
    let width = high - low + 1;
    match word(value) {
        Some(bits) => BitVec::new(width, bits >> low),
        None => BitVec::from_biguint(width, value.to_biguint() >> low),
    }
}

/// By doubling, so that a large number of copies costs little more than the result.
fn repeat(value: &BitVec, times: u32) -> BitVec {
    let mut result: Option<BitVec> = None;
    for bit in (0..32 - times.leading_zeros()).rev() {
        result = result.map(|r| concat(&r, &r));
        if times >> bit & 1 == 1 {
            result = Some(result.map_or_else(|| value.clone(), |r| concat(&r, value)));
        }
    }
    result.unwrap_or_else(|| value.clone())
}

fn binary(fun: Fun, a: &BitVec, b: &BitVec) -> BitVec {
    let width = a.width();
    match (word(a), word(b)) {
        (Some(x), Some(y)) => BitVec::new(width, small(fun, width, x, y)),
        _ => wide(fun, a, b),
    }
}

fn predicate(fun: Fun, a: &BitVec, b: &BitVec) -> bool {
    match (word(a), word(b)) {
        (Some(x), Some(y)) if a.width() <= 64 || fun.code() <= Fun::BvSge.code() => {
            small_predicate(fun, a.width(), x, y)
        }
        _ => wide_predicate(fun, a, b),
    }
}

pub(super) fn signed(width: u32, bits: u128) -> i128 {
    let unused = 128 - width;
    ((bits << unused) as i128) >> unused
}

/// At most 128 bits; the caller reduces the result.
pub(super) fn small(fun: Fun, width: u32, a: u128, b: u128) -> u128 {
    let (s, t) = (signed(width, a), signed(width, b));
    let beyond = b >= u128::from(width);
    match fun {
        Fun::BvAnd => a & b,
        Fun::BvOr => a | b,
        Fun::BvXor => a ^ b,
        Fun::BvAdd => a.wrapping_add(b),
        Fun::BvSub => a.wrapping_sub(b),
        Fun::BvMul => a.wrapping_mul(b),
        Fun::BvUdiv => a.checked_div(b).unwrap_or(u128::MAX),
        Fun::BvUrem => a.checked_rem(b).unwrap_or(a),
        Fun::BvSdiv if t == 0 => {
            if s < 0 {
                1
            } else {
                u128::MAX
            }
        }
        Fun::BvSdiv => s.wrapping_div(t) as u128,
        Fun::BvSrem | Fun::BvSmod if t == 0 => a,
        Fun::BvSrem => s.wrapping_rem(t) as u128,
        Fun::BvSmod => {
            let rest = s.wrapping_rem(t);
            let rest = if rest != 0 && (rest < 0) != (t < 0) { rest.wrapping_add(t) } else { rest };
            rest as u128
        }
        Fun::BvShl if beyond => 0,
        Fun::BvShl => a << b,
        Fun::BvLshr if beyond => 0,
        Fun::BvLshr => a >> b,
        Fun::BvAshr if beyond => (s >> 127) as u128,
        _ => (s >> b) as u128,
    }
}

/// The same for any width.
fn wide(fun: Fun, a: &BitVec, b: &BitVec) -> BitVec {
    let width = a.width();
    let (x, y) = (a.to_biguint(), b.to_biguint());
    let unsigned = |value: BigUint| BitVec::from_biguint(width, value);
    let signed = |value: BigInt| BitVec::from_bigint(width, &value);
    let amount = y.to_u32().filter(|n| *n < width);
    match fun {
        Fun::BvAnd => unsigned(x & y),
        Fun::BvOr => unsigned(x | y),
        Fun::BvXor => unsigned(x ^ y),
        Fun::BvAdd => unsigned(x + y),
        Fun::BvSub => signed(BigInt::from(x) - BigInt::from(y)),
        Fun::BvMul => unsigned(x * y),
        Fun::BvUdiv if y.is_zero() => BitVec::ones(width),
        Fun::BvUdiv => unsigned(x / y),
        Fun::BvUrem if y.is_zero() => a.clone(),
        Fun::BvUrem => unsigned(x % y),
        Fun::BvShl => amount.map_or_else(|| BitVec::new(width, 0), |n| unsigned(x << n)),
        Fun::BvLshr => amount.map_or_else(|| BitVec::new(width, 0), |n| unsigned(x >> n)),
        _ => {
            let (s, t) = (a.to_bigint_signed(), b.to_bigint_signed());
            match fun {
                Fun::BvSdiv if t.is_zero() && s.is_negative() => BitVec::new(width, 1),
                Fun::BvSdiv if t.is_zero() => BitVec::ones(width),
                Fun::BvSdiv => signed(s / t),
                Fun::BvSrem | Fun::BvSmod if t.is_zero() => a.clone(),
                Fun::BvSrem => signed(s % t),
                Fun::BvSmod => signed(s.mod_floor(&t)),
                // Arithmetic shift: big integers round down.
                _ => signed(s >> amount.unwrap_or(width)),
            }
        }
    }
}

/// Comparisons up to 128 bits, overflow predicates up to 64.
pub(super) fn small_predicate(fun: Fun, width: u32, a: u128, b: u128) -> bool {
    let (s, t) = (signed(width, a), signed(width, b));
    let lowest = i128::MIN >> (128 - width);
    let highest = !lowest;
    let outside = |value: i128| value < lowest || value > highest;
    match fun {
        Fun::BvUlt => a < b,
        Fun::BvUle => a <= b,
        Fun::BvUgt => a > b,
        Fun::BvUge => a >= b,
        Fun::BvSlt => s < t,
        Fun::BvSle => s <= t,
        Fun::BvSgt => s > t,
        Fun::BvSge => s >= t,
        Fun::BvUaddo => (a + b) >> width != 0,
        Fun::BvUmulo => (a * b) >> width != 0,
        Fun::BvUsubo => a < b,
        Fun::BvSaddo => outside(s + t),
        Fun::BvSmulo => outside(s * t),
        Fun::BvSsubo => outside(s - t),
        _ => s == lowest && t == -1,
    }
}

/// The same for any width.
fn wide_predicate(fun: Fun, a: &BitVec, b: &BitVec) -> bool {
    let width = a.width();
    let (x, y) = (BigInt::from(a.to_biguint()), BigInt::from(b.to_biguint()));
    let (s, t) = (a.to_bigint_signed(), b.to_bigint_signed());
    let half = BigInt::one() << (width - 1);
    let modulus = BigInt::one() << width;
    let outside = |value: BigInt| value < -&half || value >= half;
    match fun {
        Fun::BvUlt => x < y,
        Fun::BvUle => x <= y,
        Fun::BvUgt => x > y,
        Fun::BvUge => x >= y,
        Fun::BvSlt => s < t,
        Fun::BvSle => s <= t,
        Fun::BvSgt => s > t,
        Fun::BvSge => s >= t,
        Fun::BvUaddo => x + y >= modulus,
        Fun::BvUmulo => x * y >= modulus,
        Fun::BvUsubo => x < y,
        Fun::BvSaddo => outside(s + t),
        Fun::BvSmulo => outside(s * t),
        Fun::BvSsubo => outside(s - t),
        _ => s == -half && t == -BigInt::one(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_bits() -> impl Strategy<Value = u128> {
        prop_oneof![any::<u128>(), 0u128..200, Just(u128::MAX), (0u32..128).prop_map(|n| 1u128 << n)]
    }

    proptest! {
        #[test]
        fn words_and_big_integers_agree(width in 1u32..=128, a in any_bits(), b in any_bits()) {
            let (a, b) = (BitVec::new(width, a), BitVec::new(width, b));
            for fun in Fun::ALL.iter().copied() {
                match fun.code() {
                    42..=44 | 49..=59 => prop_assert_eq!(binary(fun, &a, &b), wide(fun, &a, &b), "{:?}", fun),
                    60..=67 | 70..=76 => {
                        prop_assert_eq!(predicate(fun, &a, &b), wide_predicate(fun, &a, &b), "{:?}", fun)
                    }
                    _ => {}
                }
            }
        }
    }
}
