//! Machine arithmetic on constants, as Java has it: the one definition of every operation.
//!
//! Values are 64 bits: integers themselves, floats their bits. Nothing here fails: division by zero, which
//! callers have branched on, gives zero, so that arms that are not taken can be evaluated too.

use crate::op::{Binary, Cast, Compare, Ints, Kind, Unary};

/// The bits of a float, with one NaN.
pub(crate) fn f32_raw(value: f32) -> i64 {
    i64::from(if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() })
}

/// The bits of a double, with one NaN.
pub(crate) fn f64_raw(value: f64) -> i64 {
    if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() as i64 }
}

pub(crate) fn to_f32(raw: i64) -> f32 {
    f32::from_bits(raw as u32)
}

pub(crate) fn to_f64(raw: i64) -> f64 {
    f64::from_bits(raw as u64)
}

/// The value modulo 2^bits, unless integers are unbounded.
pub(crate) fn wrap(ints: Ints, kind: Kind, value: i64) -> i64 {
    match (ints, kind) {
        (Ints::Wrapped, Kind::I32) => i64::from(value as i32),
        _ => value,
    }
}

pub(crate) fn binary(ints: Ints, op: Binary, kind: Kind, a: i64, b: i64) -> i64 {
    match kind {
        Kind::I32 | Kind::I64 => int(ints, op, kind, a, b),
        Kind::F32 => {
            let (a, b) = (to_f32(a), to_f32(b));
            f32_raw(match op {
                Binary::Add => a + b,
                Binary::Sub => a - b,
                Binary::Mul => a * b,
                Binary::Div => a / b,
                Binary::Rem => a % b,
                Binary::Min | Binary::Max if a.is_nan() || b.is_nan() => f32::NAN,
                Binary::Min if a < b || (a == b && a.is_sign_negative()) => a,
                Binary::Max if a > b || (a == b && a.is_sign_positive()) => a,
                Binary::Min | Binary::Max => b,
                _ => 0.0,
            })
        }
        Kind::F64 => {
            let (a, b) = (to_f64(a), to_f64(b));
            f64_raw(match op {
                Binary::Add => a + b,
                Binary::Sub => a - b,
                Binary::Mul => a * b,
                Binary::Div => a / b,
                Binary::Rem => a % b,
                Binary::Min | Binary::Max if a.is_nan() || b.is_nan() => f64::NAN,
                Binary::Min if a < b || (a == b && a.is_sign_negative()) => a,
                Binary::Max if a > b || (a == b && a.is_sign_positive()) => a,
                Binary::Min | Binary::Max => b,
                _ => 0.0,
            })
        }
    }
}

fn int(ints: Ints, op: Binary, kind: Kind, a: i64, b: i64) -> i64 {
    let count = (b as u32) & (kind.bits() - 1);
    let value = match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::Mul => a.wrapping_mul(b),
        Binary::Div if b == 0 => 0,
        Binary::Div => a.wrapping_div(b),
        Binary::Rem if b == 0 => 0,
        Binary::Rem => a.wrapping_rem(b),
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Shl => a.wrapping_shl(count),
        Binary::Shr => a >> count,
        Binary::Ushr if kind == Kind::I32 => i64::from(((a as i32 as u32) >> count) as i32),
        Binary::Ushr => ((a as u64) >> count) as i64,
        Binary::Udiv => unsigned(kind, a).checked_div(unsigned(kind, b)).unwrap_or(0) as i64,
        Binary::Urem => unsigned(kind, a).checked_rem(unsigned(kind, b)).unwrap_or(0) as i64,
        Binary::Min => a.min(b),
        Binary::Max => a.max(b),
    };
    wrap(ints, kind, value)
}

/// The value as an unsigned one.
pub(crate) fn unsigned(kind: Kind, value: i64) -> u64 {
    if kind == Kind::I32 { u64::from(value as u32) } else { value as u64 }
}

/// An operation that counts bits of an integer.
fn count(op: Unary, kind: Kind, a: i64) -> i64 {
    let (bits, value) = (kind.bits(), unsigned(kind, a));
    i64::from(match op {
        Unary::Clz => value.leading_zeros() - (64 - bits),
        Unary::Ctz => value.trailing_zeros().min(bits),
        _ => value.count_ones(),
    })
}

pub(crate) fn unary(op: Unary, kind: Kind, a: i64) -> i64 {
    if kind.is_int() {
        return count(op, kind, a);
    }
    if kind == Kind::F32 {
        let a = to_f32(a);
        return f32_raw(match op {
            Unary::Neg => -a,
            Unary::Abs => a.abs(),
            Unary::Sqrt => a.sqrt(),
            Unary::Floor => a.floor(),
            Unary::Ceil => a.ceil(),
            Unary::Trunc => a.trunc(),
            _ => a.round_ties_even(),
        });
    }
    let a = to_f64(a);
    f64_raw(match op {
        Unary::Neg => -a,
        Unary::Abs => a.abs(),
        Unary::Sqrt => a.sqrt(),
        Unary::Floor => a.floor(),
        Unary::Ceil => a.ceil(),
        Unary::Trunc => a.trunc(),
        _ => a.round_ties_even(),
    })
}

pub(crate) fn cast(cast: Cast, a: i64) -> i64 {
    match cast {
        Cast::I2L => a,
        Cast::L2I => i64::from(a as i32),
        Cast::I2B => i64::from(a as i8),
        Cast::I2C => i64::from(a as u16),
        Cast::I2S => i64::from(a as i16),
        Cast::I2F | Cast::L2F => f32_raw(a as f32),
        Cast::I2D | Cast::L2D => f64_raw(a as f64),
        Cast::F2I => i64::from(to_f32(a) as i32),
        Cast::F2L => to_f32(a) as i64,
        Cast::Ul2F => f32_raw(a as u64 as f32),
        Cast::Ul2D => f64_raw(a as u64 as f64),
        Cast::F2Ul => to_f32(a) as u64 as i64,
        Cast::D2Ul => to_f64(a) as u64 as i64,
        Cast::F2D => f64_raw(f64::from(to_f32(a))),
        Cast::D2I => i64::from(to_f64(a) as i32),
        Cast::D2L => to_f64(a) as i64,
        Cast::D2F => f32_raw(to_f64(a) as f32),
        Cast::FloatToBits => i64::from(f32_raw(to_f32(a)) as i32),
        Cast::BitsToFloat => f32_raw(to_f32(a)),
        Cast::DoubleToBits => f64_raw(to_f64(a)),
        Cast::BitsToDouble => f64_raw(to_f64(a)),
    }
}

/// -1, 0 or 1.
pub(crate) fn compare(op: Compare, a: i64, b: i64) -> i64 {
    let order = match op.kind() {
        Kind::F32 => to_f32(a).partial_cmp(&to_f32(b)),
        Kind::F64 => to_f64(a).partial_cmp(&to_f64(b)),
        _ => Some(a.cmp(&b)),
    };
    order.map_or(op.unordered(), |order| order as i64)
}

/// How floats of a kind compare; `None` if one is NaN.
pub(crate) fn float_order(kind: Kind, a: i64, b: i64) -> Option<std::cmp::Ordering> {
    if kind == Kind::F32 { to_f32(a).partial_cmp(&to_f32(b)) } else { to_f64(a).partial_cmp(&to_f64(b)) }
}
