//! Floating point: bits, and the functions of `Math` that HotSpot computes itself.
//!
//! HotSpot answers `Math.sin` and its like by routines that are nearly correctly rounded, as the
//! platform's are; the special cases where C and Java disagree (`pow`) are Java's. `StrictMath` is
//! interpreted where it has code. Of a symbolic value such a function is an expression that no theory has: a
//! branch on it is decided by values that are tried, and the rest is sampled.

use evergreen_explore::Random;
use evergreen_symbolic::{Cast, Compare, Const, Function, Rel, Unary};

use super::Row;
use crate::native::{Call, Done, Trap};
use crate::value::Value;

const MATH: &str = "java/lang/Math";
const STRICT: &str = "java/lang/StrictMath";
/// Of the numbers that stand for those of the machine's source of randomness.
const SEED: u64 = 0xcafe_f00d;

pub(crate) const TABLE: &[Row] = &[
    ("java/lang/Float", "floatToRawIntBits", "(F)I", float_to_bits),
    ("java/lang/Float", "intBitsToFloat", "(I)F", bits_to_float),
    ("java/lang/Double", "doubleToRawLongBits", "(D)J", double_to_bits),
    ("java/lang/Double", "longBitsToDouble", "(J)D", bits_to_double),
    (MATH, "sqrt", "(D)D", |c| rounded(c, Unary::Sqrt)),
    (MATH, "floor", "(D)D", |c| rounded(c, Unary::Floor)),
    (MATH, "ceil", "(D)D", |c| rounded(c, Unary::Ceil)),
    (MATH, "rint", "(D)D", |c| rounded(c, Unary::Rint)),
    (MATH, "abs", "(D)D", |c| rounded(c, Unary::Abs)),
    (MATH, "abs", "(F)F", |c| rounded(c, Unary::Abs)),
    (MATH, "random", "()D", random),
    ("jdk/internal/math/FloatingDecimal", "getBinaryToASCIIConverter", "*", digits),
    ("jdk/internal/math/FormattedFloatingDecimal", "valueOf", "*", digits),
    ("jdk/internal/math/DoubleToDecimal", "toString", "(D)Ljava/lang/String;", digits),
    ("jdk/internal/math/DoubleToDecimal", "split", "*", digits),
    ("java/util/Random", "<init>", "()V", new_random),
    ("java/util/UUID", "randomUUID", "*", random_uuid),
    ("java/util/concurrent/ThreadLocalRandom", "current", "*", random_unless_own),
    (MATH, "sin", "(D)D", |c| unary(c, Function::Sin)),
    (MATH, "cos", "(D)D", |c| unary(c, Function::Cos)),
    (MATH, "tan", "(D)D", |c| unary(c, Function::Tan)),
    (MATH, "exp", "(D)D", |c| unary(c, Function::Exp)),
    (MATH, "log", "(D)D", |c| unary(c, Function::Log)),
    (MATH, "log10", "(D)D", |c| unary(c, Function::Log10)),
    (MATH, "pow", "(DD)D", |c| binary(c, Function::Pow)),
    (MATH, "fma", "(DDD)D", fused),
    (STRICT, "sqrt", "(D)D", |c| rounded(c, Unary::Sqrt)),
    (STRICT, "sin", "(D)D", |c| unary_native(c, Function::Sin)),
    (STRICT, "cos", "(D)D", |c| unary_native(c, Function::Cos)),
    (STRICT, "tan", "(D)D", |c| unary_native(c, Function::Tan)),
    (STRICT, "asin", "(D)D", |c| unary_native(c, Function::Asin)),
    (STRICT, "acos", "(D)D", |c| unary_native(c, Function::Acos)),
    (STRICT, "atan", "(D)D", |c| unary_native(c, Function::Atan)),
    (STRICT, "log", "(D)D", |c| unary_native(c, Function::Log)),
    (STRICT, "log10", "(D)D", |c| unary_native(c, Function::Log10)),
    (STRICT, "sinh", "(D)D", |c| unary_native(c, Function::Sinh)),
    (STRICT, "cosh", "(D)D", |c| unary_native(c, Function::Cosh)),
    (STRICT, "tanh", "(D)D", |c| unary_native(c, Function::Tanh)),
    (STRICT, "expm1", "(D)D", |c| unary_native(c, Function::Expm1)),
    (STRICT, "log1p", "(D)D", |c| unary_native(c, Function::Log1p)),
    (STRICT, "atan2", "(DD)D", |c| binary_native(c, Function::Atan2)),
    // Interpreted where the values are known; of symbolic ones the JDK's code would branch on bits.
    (STRICT, "cbrt", "(D)D", |c| unary_native(c, Function::Cbrt)),
    (STRICT, "exp", "(D)D", |c| unary_native(c, Function::Exp)),
    (STRICT, "pow", "(DD)D", |c| binary_native(c, Function::Pow)),
    (STRICT, "hypot", "(DD)D", |c| binary_native(c, Function::Hypot)),
    (STRICT, "IEEEremainder", "(DD)D", nearest_remainder),
];

fn float_to_bits(call: &mut Call) -> Result<Done, Trap> {
    match call.args[0] {
        Value::Float(value) => Ok(Done::Value(Value::Int(value.to_bits() as i32))),
        _ => bits_of(call, Compare::Fcmpl, Cast::FloatToBits),
    }
}

fn bits_to_float(call: &mut Call) -> Result<Done, Trap> {
    match call.args[0] {
        Value::Int(value) => Ok(Done::Value(Value::Float(f32::from_bits(value as u32)))),
        _ => cast(call, Cast::BitsToFloat),
    }
}

fn double_to_bits(call: &mut Call) -> Result<Done, Trap> {
    match call.args[0] {
        Value::Double(value) => Ok(Done::Value(Value::Long(value.to_bits() as i64))),
        _ => bits_of(call, Compare::Dcmpl, Cast::DoubleToBits),
    }
}

fn bits_to_double(call: &mut Call) -> Result<Done, Trap> {
    match call.args[0] {
        Value::Long(value) => Ok(Done::Value(Value::Double(f64::from_bits(value as u64)))),
        _ => cast(call, Cast::BitsToDouble),
    }
}

/// Of a NaN that arithmetic has made the processor chooses the bits: its sign differs between machines.
fn bits_of(call: &mut Call, with: Compare, bits: Cast) -> Result<Done, Trap> {
    let number = call.as_expr(call.args[0]);
    let is_own = call.exprs().as_input(number).is_some();
    let order = call.exprs().compare(with, number, number);
    let zero = call.exprs().constant(Const::I32(0));
    let is_number = call.exprs().relate(Rel::Eq, order, zero);
    if !is_own && !call.jvm.choose_whether(call.state, is_number)? {
        call.jvm.note_chosen_value(call.state);
    }
    cast(call, bits)
}

fn cast(call: &mut Call, cast: Cast) -> Result<Done, Trap> {
    let value = call.args[0];
    let expr = call.as_expr(value);
    let result = call.exprs().cast(cast, expr);
    Ok(Done::Value(call.value_of(result)))
}

fn double(call: &Call, index: usize) -> Result<f64, Trap> {
    match call.args.get(index) {
        Some(Value::Double(value)) => Ok(*value),
        _ => Err(Trap::unsupported(
            format!("{} of a symbolic value", call.method.full_name()),
            "make the argument concrete with --concrete",
        )),
    }
}

/// Operations that have one right answer, for symbolic values too.
fn rounded(call: &mut Call, operation: Unary) -> Result<Done, Trap> {
    let expr = call.as_expr(call.args[0]);
    let result = call.exprs().unary(operation, expr);
    Ok(Done::Value(call.value_of(result)))
}

/// The digits of a float are the result of a search, which no solver follows to its end.
fn digits(call: &mut Call) -> Result<Done, Trap> {
    match call.args[0] {
        Value::Sym(_) => Err(Trap::unsupported("the digits of a symbolic float", "compare numbers instead")),
        _ => call.interpret(),
    }
}

/// A value that differs from run to run.
fn random(call: &mut Call) -> Result<Done, Trap> {
    note_random(call);
    call.interpret()
}

/// A JVM has another seed in each run: the test runs several times, and what differs is a choice.
pub(super) fn note_random(call: &mut Call) {
    call.jvm.note_choice(call.state);
    call.jvm.note_bound(call.state, crate::narrowed::InputBound::Environment);
}

/// The next of the numbers that stand for those of the machine's source of randomness: a function of how many
/// a path has taken.
pub(super) fn next_random(call: &mut Call) -> u64 {
    let count = call.state.slot("randoms").and_then(Value::as_long).unwrap_or(0);
    call.state.set_slot("randoms", Value::Long(count + 1));
    Random::for_index(SEED, count as u64).next()
}

/// Of version 4 [RFC 4122, 4.4].
fn random_uuid(call: &mut Call) -> Result<Done, Trap> {
    let class = call.method.class;
    call.init(class)?;
    note_random(call);
    let high = next_random(call) & !0xf000 | 0x4000;
    let low = next_random(call) & (u64::MAX >> 2) | 1 << 63;
    let uuid = call.blank(class);
    call.set_field(uuid, "mostSigBits", Value::Long(high as i64));
    call.set_field(uuid, "leastSigBits", Value::Long(low as i64));
    Ok(Done::Value(Value::Ref(uuid)))
}

/// A part of one of the JDK's own generators, which are noted where they are made.
fn new_random(call: &mut Call) -> Result<Done, Trap> {
    let within = call.state.top().is_some_and(|frame| !frame.method.user && &*frame.method.name == "<init>");
    if within { call.interpret() } else { random(call) }
}

/// The JDK balances its own structures with it, which a program cannot observe.
fn random_unless_own(call: &mut Call) -> Result<Done, Trap> {
    if call.state.top().is_none_or(|frame| frame.method.user) { random(call) } else { call.interpret() }
}

/// A function that no theory has: computed at once, or an expression that only an evaluation can decide.
fn unary(call: &mut Call, function: Function) -> Result<Done, Trap> {
    let a = call.as_expr(call.args[0]);
    let result = call.exprs().function(function, a, a);
    Ok(Done::Value(call.value_of(result)))
}

fn binary(call: &mut Call, function: Function) -> Result<Done, Trap> {
    let (a, b) = (call.as_expr(call.args[0]), call.as_expr(call.args[1]));
    let result = call.exprs().function(function, a, b);
    Ok(Done::Value(call.value_of(result)))
}

/// As [`unary`], unless the JDK has the function in Java, which is then interpreted where the value is known.
fn unary_native(call: &mut Call, function: Function) -> Result<Done, Trap> {
    let is_known = !call.args[0].is_symbolic();
    if call.method.data != 0 && is_known { call.interpret() } else { unary(call, function) }
}

fn binary_native(call: &mut Call, function: Function) -> Result<Done, Trap> {
    let is_known = !call.args[0].is_symbolic() && !call.args[1].is_symbolic();
    if call.method.data != 0 && is_known { call.interpret() } else { binary(call, function) }
}

fn nearest_remainder(call: &mut Call) -> Result<Done, Trap> {
    if call.method.data != 0 {
        return call.interpret();
    }
    Ok(Done::Value(Value::Double(ieee_remainder(double(call, 0)?, double(call, 1)?))))
}

fn fused(call: &mut Call) -> Result<Done, Trap> {
    let (a, b, c) = (double(call, 0)?, double(call, 1)?, double(call, 2)?);
    Ok(Done::Value(Value::Double(a.mul_add(b, c))))
}

/// The remainder to the *nearest* multiple, ties to even; exact.
fn ieee_remainder(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() || x.is_infinite() || y == 0.0 {
        return f64::NAN;
    }
    if y.is_infinite() {
        return x;
    }
    let y = y.abs();
    // Reduce below two divisors first, so that the parity of the quotient is that of what is left.
    let r = if y <= f64::MAX / 2.0 { x % (y + y) } else { x };
    let mut left = r.abs();
    if y < f64::MIN_POSITIVE * 2.0 {
        if left + left > y {
            left -= y;
            if left + left >= y {
                left -= y;
            }
        }
    } else {
        let half = 0.5 * y;
        if left > half {
            left -= y;
            if left >= half {
                left -= y;
            }
        }
    }
    if left == 0.0 { 0.0f64.copysign(x) } else { left * 1.0f64.copysign(x) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_follow_java_not_c() {
        let pow = |a, b| Function::Pow.of(a, b);
        assert!(pow(1.0, f64::NAN).is_nan());
        assert!(pow(-1.0, f64::INFINITY).is_nan());
        assert_eq!(pow(f64::NAN, 0.0), 1.0);
        assert_eq!(pow(2.0, 10.0), 1024.0);
    }

    #[test]
    fn remainders_round_the_quotient() {
        assert_eq!(ieee_remainder(5.0, 3.0), -1.0);
        assert_eq!(ieee_remainder(4.0, 3.0), 1.0);
        assert_eq!(ieee_remainder(1.5, 1.0), -0.5);
        assert_eq!(ieee_remainder(2.5, 1.0), 0.5);
        assert!(ieee_remainder(1.0, 0.0).is_nan());
        assert!(ieee_remainder(-0.0, 3.0).is_sign_negative());
    }
}
