//! Concrete arithmetic, exactly as Java has it.

use evergreen_classfile::{Comparison, Conversion, Op};

use crate::value::Value;

/// Two ints; `None` is a division by zero.
#[inline(always)]
pub(super) fn ints(op: Op, a: i32, b: i32) -> Option<i32> {
    Some(match op {
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Mul => a.wrapping_mul(b),
        Op::Div if b == 0 => return None,
        Op::Div => a.wrapping_div(b),
        Op::Rem if b == 0 => return None,
        Op::Rem => a.wrapping_rem(b),
        Op::Shl => a.wrapping_shl(b as u32),
        Op::Shr => a.wrapping_shr(b as u32),
        Op::Ushr => (a as u32).wrapping_shr(b as u32) as i32,
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
    })
}

/// Two longs; `None` is a division by zero. A shift's distance is given as a long.
#[inline(always)]
pub(super) fn longs(op: Op, a: i64, b: i64) -> Option<i64> {
    Some(match op {
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Mul => a.wrapping_mul(b),
        Op::Div if b == 0 => return None,
        Op::Div => a.wrapping_div(b),
        Op::Rem if b == 0 => return None,
        Op::Rem => a.wrapping_rem(b),
        Op::Shl => a.wrapping_shl(b as u32),
        Op::Shr => a.wrapping_shr(b as u32),
        Op::Ushr => (a as u64).wrapping_shr(b as u32) as i64,
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
    })
}

/// Two floats. Rust's remainder is C's `fmod`, as Java's is.
pub(super) fn floats(op: Op, a: f32, b: f32) -> f32 {
    match op {
        Op::Add => a + b,
        Op::Sub => a - b,
        Op::Mul => a * b,
        Op::Div => a / b,
        _ => a % b,
    }
}

/// Two doubles.
pub(super) fn doubles(op: Op, a: f64, b: f64) -> f64 {
    match op {
        Op::Add => a + b,
        Op::Sub => a - b,
        Op::Mul => a * b,
        Op::Div => a / b,
        _ => a % b,
    }
}

/// A conversion of a concrete value; Rust's casts saturate and send NaN to zero, as Java's do.
#[inline(always)]
pub(super) fn convert(conversion: Conversion, value: Value) -> Option<Value> {
    Some(match (conversion, value) {
        (Conversion::IntToLong, Value::Int(v)) => Value::Long(i64::from(v)),
        (Conversion::IntToFloat, Value::Int(v)) => Value::Float(v as f32),
        (Conversion::IntToDouble, Value::Int(v)) => Value::Double(f64::from(v)),
        (Conversion::IntToByte, Value::Int(v)) => Value::Int(i32::from(v as i8)),
        (Conversion::IntToChar, Value::Int(v)) => Value::Int(i32::from(v as u16)),
        (Conversion::IntToShort, Value::Int(v)) => Value::Int(i32::from(v as i16)),
        (Conversion::LongToInt, Value::Long(v)) => Value::Int(v as i32),
        (Conversion::LongToFloat, Value::Long(v)) => Value::Float(v as f32),
        (Conversion::LongToDouble, Value::Long(v)) => Value::Double(v as f64),
        (Conversion::FloatToInt, Value::Float(v)) => Value::Int(v as i32),
        (Conversion::FloatToLong, Value::Float(v)) => Value::Long(v as i64),
        (Conversion::FloatToDouble, Value::Float(v)) => Value::Double(f64::from(v)),
        (Conversion::DoubleToInt, Value::Double(v)) => Value::Int(v as i32),
        (Conversion::DoubleToLong, Value::Double(v)) => Value::Long(v as i64),
        (Conversion::DoubleToFloat, Value::Double(v)) => Value::Float(v as f32),
        _ => return None,
    })
}

/// Whether the argument and the result of a conversion take two slots.
#[inline(always)]
pub(crate) fn widths(conversion: Conversion) -> (usize, usize) {
    match conversion {
        Conversion::IntToLong
        | Conversion::IntToDouble
        | Conversion::FloatToLong
        | Conversion::FloatToDouble => (1, 2),
        Conversion::LongToInt
        | Conversion::LongToFloat
        | Conversion::DoubleToInt
        | Conversion::DoubleToFloat => (2, 1),
        Conversion::LongToDouble | Conversion::DoubleToLong => (2, 2),
        Conversion::IntToFloat
        | Conversion::FloatToInt
        | Conversion::IntToByte
        | Conversion::IntToChar
        | Conversion::IntToShort => (1, 1),
    }
}

/// A three-way comparison of concrete values.
#[inline(always)]
pub(super) fn compare(comparison: Comparison, a: Value, b: Value) -> Option<i32> {
    fn three_way<T: PartialOrd>(a: T, b: T, unordered: i32) -> i32 {
        match a.partial_cmp(&b) {
            Some(order) => order as i32,
            None => unordered,
        }
    }
    Some(match (comparison, a, b) {
        (Comparison::Long, Value::Long(a), Value::Long(b)) => three_way(a, b, 0),
        (Comparison::FloatLess, Value::Float(a), Value::Float(b)) => three_way(a, b, -1),
        (Comparison::FloatGreater, Value::Float(a), Value::Float(b)) => three_way(a, b, 1),
        (Comparison::DoubleLess, Value::Double(a), Value::Double(b)) => three_way(a, b, -1),
        (Comparison::DoubleGreater, Value::Double(a), Value::Double(b)) => three_way(a, b, 1),
        _ => return None,
    })
}
