//! Values as text. Numbers, bit vectors, strings, floats and arrays of these are SMT-LIB, as a reader takes
//! them.
//!
//! Names lie in the arena, which a value does not have: the sort of an array is left out, and a constructor,
//! an element of a declared sort and a function are shown by their numbers. `evergreen_smtlib::print_value`
//! has the arena and writes all of it.

use crate::{Float, Int, Rational, Value};
use std::fmt;

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => value.fmt(f),
            Value::Int(value) => signed(value, "", f),
            Value::Real(value) => rational(value, f),
            Value::BitVec(value) => value.fmt(f),
            Value::String(points) => string(points, f),
            Value::Float(value) => float(value, f),
            Value::RoundingMode(mode) => f.write_str(mode.fun().name()),
            Value::Array(array) => {
                array.entries.iter().try_for_each(|_| f.write_str("(store "))?;
                write!(f, "(const {})", array.default)?;
                array.entries.iter().try_for_each(|(index, element)| write!(f, " {index} {element})"))
            }
            Value::Data(constructor, fields) if fields.is_empty() => {
                write!(f, "constructor!{}", constructor.index())
            }
            Value::Data(constructor, fields) => {
                write!(f, "(constructor!{}", constructor.index())?;
                fields.iter().try_for_each(|field| write!(f, " {field}"))?;
                f.write_str(")")
            }
            Value::Element(sort, name) => write!(f, "element!{}!{}", sort.index(), name.index()),
            Value::Function(function) => write!(f, "function!{}", function.body.index()),
        }
    }
}

/// `5.0` or `(- 5.0)`, with `.0` as the suffix.
fn signed(value: &Int, suffix: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match value.signum() < 0 {
        true => write!(f, "(- {}{suffix})", value.neg()),
        false => write!(f, "{value}{suffix}"),
    }
}

fn rational(value: &Rational, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if value.is_integer() {
        return signed(value.num(), ".0", f);
    }
    f.write_str("(/ ")?;
    signed(value.num(), ".0", f)?;
    write!(f, " {}.0)", value.den())
}

fn string(points: &[u32], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("\"")?;
    for &point in points {
        match char::from_u32(point) {
            Some('"') => f.write_str("\"\"")?,
            // A backslash could begin an escape.
            Some(c) if (' '..='~').contains(&c) && c != '\\' => write!(f, "{c}")?,
            _ => write!(f, "\\u{{{point:x}}}")?,
        }
    }
    f.write_str("\"")
}

/// `(fp sign exponent significand)`, or the name of the one NaN.
fn float(float: &Float, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let (exponent, significand) = (float.exponent_bits(), float.significand_bits());
    if float.is_nan() {
        return write!(f, "(_ NaN {exponent} {significand})");
    }
    let bits = float.bits();
    let slice = |high: u32, low: u32| -> String {
        (low..=high).rev().map(|i| if bits.bit(i) { '1' } else { '0' }).collect()
    };
    let (sign, rest) = (bits.width() - 1, bits.width() - 2);
    let fraction = significand - 1;
    write!(f, "(fp #b{} #b{} #b{})", slice(sign, sign), slice(rest, fraction), slice(fraction - 1, 0))
}

#[cfg(test)]
mod tests {
    use crate::{ArrayValue, BitVec, Float, Int, Rational, SortId, Terms, Value};

    #[test]
    fn values_are_shown_as_smt_lib() {
        let real = |n: i64, d: i64| Value::Real(Rational::new(Int::from(n), Int::from(d)).unwrap());
        let text = |s: &str| Value::String(s.chars().map(u32::from).collect());
        let shown = [
            (Value::Bool(true), "true"),
            (Value::Int(Int::from(7)), "7"),
            (Value::Int(Int::from(-7)), "(- 7)"),
            (real(-3, 1), "(- 3.0)"),
            (real(-3, 2), "(/ (- 3.0) 2.0)"),
            (Value::BitVec(BitVec::new(8, 10)), "#x0a"),
            (Value::BitVec(BitVec::new(3, 5)), "#b101"),
            (text("a\"\\ü"), "\"a\"\"\\u{5c}\\u{fc}\""),
            (Value::Float(Box::new(Float::zero(3, 4).unwrap())), "(fp #b0 #b000 #b000)"),
            (Value::Float(Box::new(Float::nan(3, 4).unwrap())), "(_ NaN 3 4)"),
        ];
        for (value, expected) in shown {
            assert_eq!(value.to_string(), expected);
        }
    }

    #[test]
    fn arrays_are_stores_over_a_default() {
        let mut terms = Terms::new();
        let sort = terms.array_sort(SortId::INT, SortId::INT);
        let int = |n: i64| Value::Int(Int::from(n));
        let mut array = ArrayValue { sort, default: int(0), entries: Default::default() };
        array.set(int(2), int(-5));
        array.set(int(1), int(3));
        let shown = Value::Array(Box::new(array)).to_string();
        assert_eq!(shown, "(store (store (const 0) 1 3) 2 (- 5))");
    }
}
