//! Floating point: IEEE 754 as SMT-LIB defines it, by exact arithmetic on integers
//! and one rounding at the end.
//!
//! A finite number is `mantissa * 2^exponent`. Sums and products are computed exactly; quotients and roots
//! to more bits than the format has, with a flag for cut-off bits. [`round`] does the rest, for every
//! operation and every mode.

use super::{Args, Outcome, Unevaluable};
use crate::float::Number;
use crate::{BitVec, Float, Fun, Indexed, Int, Rational, RoundingMode, Value};
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;

/// Formats with more bits are not computed with: numbers are written out in full here.
const MAX_EXPONENT_BITS: u32 = 18;
const MAX_SIGNIFICAND_BITS: u32 = 1 << 12;

type Format = (u32, u32);
type Rounded = Result<Float, Unevaluable>;

pub(super) fn rounding_mode(fun: Fun) -> Outcome {
    RoundingMode::from_fun(fun).map(Value::RoundingMode).ok_or(Unevaluable::Unsupported)
}

pub(super) fn apply(fun: Fun, args: &Args<'_, '_>) -> Outcome {
    use Fun::*;
    match fun {
        Fp => from_parts(args),
        FpLeq | FpLt | FpGeq | FpGt | FpEq => compare(fun, args),
        FpIsNormal | FpIsSubnormal | FpIsZero | FpIsInfinite | FpIsNan | FpIsNegative | FpIsPositive => {
            let x = float(args.get(0))?;
            Ok(Value::Bool(match fun {
                FpIsNormal => x.is_normal(),
                FpIsSubnormal => x.is_subnormal(),
                FpIsZero => x.is_zero(),
                FpIsInfinite => x.is_infinite(),
                FpIsNan => x.is_nan(),
                FpIsNegative => x.is_negative(),
                _ => !x.is_negative() && !x.is_nan(),
            }))
        }
        FpToReal => to_real(float(args.get(0))?),
        FpAbs | FpNeg => {
            let x = float(args.get(0))?;
            let flip = fun == FpNeg || x.is_negative();
            result(if flip && !x.is_nan() { flip_sign(x) } else { Ok(x.clone()) })
        }
        FpMin | FpMax => result(extreme(fun == FpMax, float(args.get(0))?, float(args.get(1))?)),
        FpRem => {
            let x = float(args.get(0))?;
            result(remainder(format(x)?, x, number(x)?, number(float(args.get(1))?)?))
        }
        _ => result(arithmetic(fun, mode(args.get(0))?, args)),
    }
}

pub(super) fn indexed(fun: Indexed, i: u32, j: u32, args: &Args<'_, '_>) -> Outcome {
    let special = |number: Number| result(round(supported((i, j))?, RoundingMode::NearestEven, number));
    match fun {
        Indexed::PlusInfinity => special(Number::Infinite(false)),
        Indexed::MinusInfinity => special(Number::Infinite(true)),
        Indexed::PlusZero => special(Number::Finite(false, BigUint::zero(), 0)),
        Indexed::MinusZero => special(Number::Finite(true, BigUint::zero(), 0)),
        Indexed::NotANumber => special(Number::Undefined),
        Indexed::ToFp if args.len() == 1 => match args.get(0) {
            Value::BitVec(bits) => result(Float::from_bits(i, j, bits.clone()).ok_or(Unevaluable::IllSorted)),
            _ => Err(Unevaluable::IllSorted),
        },
        Indexed::ToFp | Indexed::ToFpUnsigned => {
            let (format, mode) = (supported((i, j))?, mode(args.get(0))?);
            result(match args.get(1) {
                Value::Float(x) => round(format, mode, number(x)?),
                Value::BitVec(bits) if fun == Indexed::ToFp => {
                    from_integer(format, mode, bits.to_bigint_signed())
                }
                Value::BitVec(bits) => from_integer(format, mode, BigInt::from(bits.to_biguint())),
                Value::Real(value) => {
                    let (num, den) = (value.num().to_big(), value.den().to_big());
                    quotient(format, mode, num.is_negative(), (num.magnitude(), 0), (den.magnitude(), 0))
                }
                _ => Err(Unevaluable::IllSorted),
            })
        }
        _ => to_bitvec(fun == Indexed::FpToSbv, i, mode(args.get(0))?, float(args.get(1))?),
    }
}

fn float(value: &Value) -> Result<&Float, Unevaluable> {
    match value {
        Value::Float(value) => Ok(value),
        _ => Err(Unevaluable::IllSorted),
    }
}

fn mode(value: &Value) -> Result<RoundingMode, Unevaluable> {
    match value {
        Value::RoundingMode(mode) => Ok(*mode),
        _ => Err(Unevaluable::IllSorted),
    }
}

fn result(float: Rounded) -> Outcome {
    float.map(|float| Value::Float(Box::new(float)))
}

fn supported(format: Format) -> Result<Format, Unevaluable> {
    let fits = format.0 <= MAX_EXPONENT_BITS && format.1 <= MAX_SIGNIFICAND_BITS;
    if fits { Ok(format) } else { Err(Unevaluable::Exhausted) }
}

fn format(x: &Float) -> Result<Format, Unevaluable> {
    supported((x.exponent_bits(), x.significand_bits()))
}

fn number(x: &Float) -> Result<Number, Unevaluable> {
    format(x)?;
    x.number().ok_or(Unevaluable::Exhausted)
}

fn from_parts(args: &Args<'_, '_>) -> Outcome {
    let (Value::BitVec(sign), Value::BitVec(exponent), Value::BitVec(fraction)) =
        (args.get(0), args.get(1), args.get(2))
    else {
        return Err(Unevaluable::IllSorted);
    };
    let format = (exponent.width(), fraction.width() + 1);
    let float = Float::assemble(format, sign.bit(0), exponent.to_biguint(), fraction.to_biguint());
    result(float.ok_or(Unevaluable::IllSorted))
}

fn flip_sign(x: &Float) -> Rounded {
    let width = x.bits().width();
    let bits = x.bits().to_biguint() ^ (BigUint::one() << (width - 1));
    Float::from_bits(x.exponent_bits(), x.significand_bits(), BitVec::from_biguint(width, bits))
        .ok_or(Unevaluable::IllSorted)
}

/// Sign and magnitude order floats of one format as integers; the zeros are equal, NaN is not ordered.
fn order(x: &Float, y: &Float) -> Option<Ordering> {
    if x.is_nan() || y.is_nan() {
        return None;
    }
    let key = |x: &Float| {
        let sign = BigUint::one() << (x.bits().width() - 1);
        let magnitude = BigInt::from(x.bits().to_biguint() % sign);
        if x.is_negative() { -magnitude } else { magnitude }
    };
    Some(key(x).cmp(&key(y)))
}

fn compare(fun: Fun, args: &Args<'_, '_>) -> Outcome {
    let mut all = true;
    for i in 1..args.len() {
        let order = order(float(args.get(i - 1))?, float(args.get(i))?);
        all &= order.is_some_and(|order| match fun {
            Fun::FpLeq => order.is_le(),
            Fun::FpLt => order.is_lt(),
            Fun::FpGeq => order.is_ge(),
            Fun::FpGt => order.is_gt(),
            _ => order.is_eq(),
        });
    }
    Ok(Value::Bool(all))
}

/// SMT-LIB leaves open which of two zeros of different signs is the smaller.
fn extreme(largest: bool, x: &Float, y: &Float) -> Rounded {
    match order(x, y) {
        None => Ok(if x.is_nan() { y.clone() } else { x.clone() }),
        Some(Ordering::Equal) if x != y => Err(Unevaluable::Unspecified),
        Some(order) => Ok(if order.is_gt() == largest { x.clone() } else { y.clone() }),
    }
}

fn arithmetic(fun: Fun, mode: RoundingMode, args: &Args<'_, '_>) -> Rounded {
    let first = float(args.get(1))?;
    let format = format(first)?;
    let x = number(first)?;
    let operand = |i| number(float(args.get(i))?);
    match fun {
        Fun::FpAdd => round(format, mode, sum(mode, x, operand(2)?)),
        Fun::FpSub => round(format, mode, sum(mode, x, negated(operand(2)?))),
        Fun::FpMul => round(format, mode, product(x, operand(2)?)),
        Fun::FpFma => round(format, mode, sum(mode, product(x, operand(2)?), operand(3)?)),
        Fun::FpDiv => divide(format, mode, x, operand(2)?),
        Fun::FpSqrt => root(format, mode, x),
        Fun::FpRoundToIntegral => match x {
            Number::Finite(negative, mantissa, exponent) => {
                let whole = whole(mode, negative, &mantissa, exponent);
                round(format, mode, Number::Finite(negative, whole, 0))
            }
            other => round(format, mode, other),
        },
        _ => Err(Unevaluable::Unsupported),
    }
}

fn negated(x: Number) -> Number {
    match x {
        Number::Undefined => x,
        Number::Infinite(negative) => Number::Infinite(!negative),
        Number::Finite(negative, mantissa, exponent) => Number::Finite(!negative, mantissa, exponent),
    }
}

fn sum(mode: RoundingMode, x: Number, y: Number) -> Number {
    match (x, y) {
        (Number::Infinite(a), Number::Infinite(b)) if a != b => Number::Undefined,
        (Number::Undefined, _) | (_, Number::Undefined) => Number::Undefined,
        (Number::Infinite(a), _) | (_, Number::Infinite(a)) => Number::Infinite(a),
        (Number::Finite(a, m, e), Number::Finite(b, n, f)) => {
            let common = e.min(f);
            let signed = |negative, magnitude: BigUint, exponent: i64| {
                let sign = if negative { Sign::Minus } else { Sign::Plus };
                BigInt::from_biguint(sign, magnitude << (exponent - common))
            };
            let total = signed(a, m, e) + signed(b, n, f);
            // Terms that cancel out give +0, except when rounding down; zeros of one sign keep it.
            let negative = if !total.is_zero() {
                total.is_negative()
            } else if a == b {
                a
            } else {
                mode == RoundingMode::Negative
            };
            Number::Finite(negative, total.magnitude().clone(), common)
        }
    }
}

fn is_zero(x: &Number) -> bool {
    matches!(x, Number::Finite(_, mantissa, _) if mantissa.is_zero())
}

fn product(x: Number, y: Number) -> Number {
    let undefined = |a: &Number, b: &Number| matches!(a, Number::Infinite(_)) && is_zero(b);
    if undefined(&x, &y) || undefined(&y, &x) {
        return Number::Undefined;
    }
    match (x, y) {
        (Number::Undefined, _) | (_, Number::Undefined) => Number::Undefined,
        (Number::Finite(a, m, e), Number::Finite(b, n, f)) => Number::Finite(a != b, m * n, e + f),
        (Number::Infinite(a) | Number::Finite(a, ..), Number::Infinite(b) | Number::Finite(b, ..)) => {
            Number::Infinite(a != b)
        }
    }
}

fn divide(format: Format, mode: RoundingMode, x: Number, y: Number) -> Rounded {
    let special = match (&x, &y) {
        (Number::Undefined, _) | (_, Number::Undefined) => Number::Undefined,
        (Number::Infinite(_), Number::Infinite(_)) => Number::Undefined,
        (Number::Finite(..), Number::Finite(..)) if is_zero(&x) && is_zero(&y) => Number::Undefined,
        (Number::Infinite(a), Number::Finite(b, ..)) => Number::Infinite(a != b),
        (Number::Finite(a, ..), Number::Infinite(b)) => Number::Finite(a != b, BigUint::zero(), 0),
        (Number::Finite(a, ..), Number::Finite(b, ..)) if is_zero(&y) => Number::Infinite(a != b),
        (Number::Finite(a, m, e), Number::Finite(b, n, f)) => {
            return quotient(format, mode, a != b, (m, *e), (n, *f));
        }
    };
    round(format, mode, special)
}

/// The quotient of two magnitudes, the second not zero.
fn quotient(
    format: Format,
    mode: RoundingMode,
    negative: bool,
    (m, e): (&BigUint, i64),
    (n, f): (&BigUint, i64),
) -> Rounded {
    let wanted = n.bits() + u64::from(format.1) + 3;
    let shift = wanted.saturating_sub(m.bits());
    let (mantissa, rest) = (m << shift).div_rem(n);
    round_cut(format, mode, negative, mantissa, e - f - shift as i64, !rest.is_zero())
}

fn root(format: Format, mode: RoundingMode, x: Number) -> Rounded {
    let (mantissa, exponent) = match x {
        Number::Finite(false, mantissa, exponent) if !mantissa.is_zero() => (mantissa, exponent),
        Number::Infinite(false) => return round(format, mode, x),
        _ if is_zero(&x) => return round(format, mode, x),
        _ => return round(format, mode, Number::Undefined),
    };
    let mut shift = (2 * (u64::from(format.1) + 3)).saturating_sub(mantissa.bits()) as i64;
    if (exponent - shift) % 2 != 0 {
        shift += 1;
    }
    let square = mantissa << shift;
    let root = square.sqrt();
    let cut = &root * &root != square;
    round_cut(format, mode, false, root, (exponent - shift) / 2, cut)
}

/// `x - y * n` with `n` the integer nearest to `x / y`, ties to even; always representable.
fn remainder(format: Format, original: &Float, x: Number, y: Number) -> Rounded {
    let (negative, m, e, n, f) = match (x, y) {
        (Number::Undefined | Number::Infinite(_), _) | (_, Number::Undefined) => {
            return round(format, RoundingMode::NearestEven, Number::Undefined);
        }
        (Number::Finite(..), Number::Infinite(_)) => return Ok(original.clone()),
        (_, Number::Finite(_, n, _)) if n.is_zero() => {
            return round(format, RoundingMode::NearestEven, Number::Undefined);
        }
        (Number::Finite(negative, m, e), Number::Finite(_, n, f)) => (negative, m, e, n, f),
    };
    let common = e.min(f);
    let (m, n) = (m << (e - common), n << (f - common));
    let (quotient, rest) = m.div_rem(&n);
    let twice = &rest << 1;
    let up = twice > n || (twice == n && quotient.is_odd());
    let (flip, rest) = if up { (true, n - rest) } else { (false, rest) };
    let negative = if rest.is_zero() { negative } else { negative ^ flip };
    round(format, RoundingMode::NearestEven, Number::Finite(negative, rest, common))
}

/// The magnitude rounded to an integer.
fn whole(mode: RoundingMode, negative: bool, mantissa: &BigUint, exponent: i64) -> BigUint {
    match u64::try_from(-exponent) {
        Ok(shift) if shift > 0 => shifted(mode, negative, mantissa, shift, false),
        _ => mantissa << exponent,
    }
}

/// The magnitude without its last bits, rounded; `cut`: lower bits were lost before.
fn shifted(mode: RoundingMode, negative: bool, mantissa: &BigUint, shift: u64, cut: bool) -> BigUint {
    let kept = mantissa >> shift;
    let half = mantissa.bit(shift - 1);
    let rest = cut || mantissa.trailing_zeros().is_some_and(|zeros| zeros < shift - 1);
    let up = match mode {
        RoundingMode::NearestEven => half && (rest || kept.is_odd()),
        RoundingMode::NearestAway => half,
        RoundingMode::Positive => !negative && (half || rest),
        RoundingMode::Negative => negative && (half || rest),
        RoundingMode::Zero => false,
    };
    if up { kept + BigUint::one() } else { kept }
}

fn from_integer(format: Format, mode: RoundingMode, value: BigInt) -> Rounded {
    round(format, mode, Number::Finite(value.is_negative(), value.magnitude().clone(), 0))
}

fn to_real(x: &Float) -> Outcome {
    let Number::Finite(negative, mantissa, exponent) = number(x)? else {
        return Err(Unevaluable::Unspecified);
    };
    let sign = if negative { Sign::Minus } else { Sign::Plus };
    let up = BigInt::from_biguint(sign, mantissa << exponent.max(0));
    let down = BigInt::one() << (-exponent).max(0);
    Rational::new(Int::from(up), Int::from(down)).map(Value::Real).ok_or(Unevaluable::Unspecified)
}

/// SMT-LIB leaves the result open when the rounded number does not fit.
fn to_bitvec(signed: bool, width: u32, mode: RoundingMode, x: &Float) -> Outcome {
    let Number::Finite(negative, mantissa, exponent) = number(x)? else {
        return Err(Unevaluable::Unspecified);
    };
    let whole = whole(mode, negative, &mantissa, exponent);
    let value = BigInt::from_biguint(if negative { Sign::Minus } else { Sign::Plus }, whole);
    let (low, high) = if signed {
        let half = BigInt::one() << (width - 1);
        (-&half, half)
    } else {
        (BigInt::zero(), BigInt::one() << width)
    };
    if value < low || value >= high {
        return Err(Unevaluable::Unspecified);
    }
    Ok(Value::BitVec(BitVec::from_bigint(width, &value)))
}

fn round(format: Format, mode: RoundingMode, number: Number) -> Rounded {
    let largest = (BigUint::one() << format.0) - BigUint::one();
    let float = match number {
        Number::Undefined => Float::nan(format.0, format.1),
        Number::Infinite(negative) => Float::assemble(format, negative, largest, BigUint::zero()),
        Number::Finite(negative, mantissa, exponent) => {
            return round_cut(format, mode, negative, mantissa, exponent, false);
        }
    };
    float.ok_or(Unevaluable::IllSorted)
}

/// The float nearest to a magnitude in the direction of the mode. If `cut`, the true magnitude is a little
/// larger, and the given one has at least two bits more than the format.
fn round_cut(
    format: Format,
    mode: RoundingMode,
    negative: bool,
    mantissa: BigUint,
    exponent: i64,
    cut: bool,
) -> Rounded {
    let (exponent_bits, significand_bits) = format;
    let below = i64::from(significand_bits) - 1;
    let bias = (1i64 << (exponent_bits - 1)) - 1;
    let assemble = |biased: BigUint, fraction: BigUint| {
        Float::assemble(format, negative, biased, fraction).ok_or(Unevaluable::IllSorted)
    };
    if mantissa.is_zero() {
        return assemble(BigUint::zero(), BigUint::zero());
    }
    // The exponent of the last bit that the format keeps.
    let top = exponent + mantissa.bits() as i64 - 1;
    let mut last = (top - below).max(1 - bias - below);
    let mut kept = match u64::try_from(last - exponent) {
        Ok(shift) if shift > 0 => shifted(mode, negative, &mantissa, shift, cut),
        _ => mantissa << (exponent - last),
    };
    let hidden = BigUint::one() << below;
    if kept == &hidden << 1 {
        kept = hidden.clone();
        last += 1;
    }
    if kept < hidden {
        return assemble(BigUint::zero(), kept);
    }
    let biased = last + below + bias;
    let infinite = (1i64 << exponent_bits) - 1;
    if biased < infinite {
        return assemble(BigUint::from(biased as u64), kept - hidden);
    }
    let away = match mode {
        RoundingMode::NearestEven | RoundingMode::NearestAway => true,
        RoundingMode::Positive => !negative,
        RoundingMode::Negative => negative,
        RoundingMode::Zero => false,
    };
    if away {
        assemble(BigUint::from(infinite as u64), BigUint::zero())
    } else {
        assemble(BigUint::from(infinite as u64 - 1), hidden - BigUint::one())
    }
}
