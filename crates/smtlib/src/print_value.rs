//! Values as SMT-LIB text, in the form that the reader turns back into the same literal.

use crate::print::{print_function, push_applied};
use crate::print_sort::{push_sort, push_symbol};
use evergreen_term::{BitVec, Float, Int, Rational, Terms, Value};
use std::fmt::Write as _;

/// The text of a value.
pub fn print_value(terms: &Terms, value: &Value) -> String {
    let mut out = String::new();
    push_value(terms, value, &mut out);
    out
}

pub(crate) fn push_value(terms: &Terms, value: &Value, out: &mut String) {
    match value {
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Int(value) => push_signed(value, "", out),
        Value::Real(value) => push_rational(value, out),
        Value::BitVec(value) => push_bits(value, out),
        Value::String(points) => push_string(points, out),
        Value::Array(array) => {
            for _ in &array.entries {
                out.push_str("(store ");
            }
            out.push_str("((as const ");
            push_sort(terms, array.sort, out);
            out.push_str(") ");
            push_value(terms, &array.default, out);
            out.push(')');
            for (index, element) in &array.entries {
                out.push(' ');
                push_value(terms, index, out);
                out.push(' ');
                push_value(terms, element, out);
                out.push(')');
            }
        }
        Value::Data(constructor, fields) => {
            if fields.is_empty() {
                return push_applied(terms, *constructor, out);
            }
            out.push('(');
            push_applied(terms, *constructor, out);
            for field in fields {
                out.push(' ');
                push_value(terms, field, out);
            }
            out.push(')');
        }
        Value::Element(sort, name) => {
            let text = terms.text(*name);
            // cvc5 writes elements as qualified constants, and reads them only so.
            if text.starts_with('@') {
                let _ = write!(out, "(as {text} ");
                push_sort(terms, *sort, out);
                out.push(')');
            } else {
                push_symbol(text, out);
            }
        }
        Value::Float(float) => push_float(float, out),
        Value::RoundingMode(mode) => out.push_str(mode.fun().name()),
        Value::Function(function) => {
            let (params, body) = print_function(terms, &function.params, function.body);
            let _ = write!(out, "(lambda {params} {body})");
        }
    }
}

/// `(fp sign exponent significand)`, or the name of the one NaN.
fn push_float(float: &Float, out: &mut String) {
    let (exponent, significand) = (float.exponent_bits(), float.significand_bits());
    if float.is_nan() {
        let _ = write!(out, "(_ NaN {exponent} {significand})");
        return;
    }
    let bits = float.bits();
    let slice = |high: u32, low: u32| -> String {
        (low..=high).rev().map(|i| if bits.bit(i) { '1' } else { '0' }).collect()
    };
    let _ = write!(
        out,
        "(fp #b{} #b{} #b{})",
        slice(bits.width() - 1, bits.width() - 1),
        slice(bits.width() - 2, significand - 1),
        slice(significand - 2, 0)
    );
}

/// `5.0` or `(- 5.0)`, with `.0` as the suffix.
fn push_signed(value: &Int, suffix: &str, out: &mut String) {
    let _ = if value.signum() < 0 {
        write!(out, "(- {}{suffix})", value.neg())
    } else {
        write!(out, "{value}{suffix}")
    };
}

fn push_rational(value: &Rational, out: &mut String) {
    if value.is_integer() {
        return push_signed(value.num(), ".0", out);
    }
    out.push_str("(/ ");
    push_signed(value.num(), ".0", out);
    let _ = write!(out, " {}.0)", value.den());
}

fn push_bits(value: &BitVec, out: &mut String) {
    let width = value.width();
    let big = || value.to_biguint();
    let _ = match (width.is_multiple_of(4), value.to_u128().filter(|_| width <= 128)) {
        (true, Some(bits)) => write!(out, "#x{bits:0digits$x}", digits = width as usize / 4),
        (true, None) => write!(out, "#x{:0digits$x}", big(), digits = width as usize / 4),
        (false, Some(bits)) => write!(out, "#b{bits:0digits$b}", digits = width as usize),
        (false, None) => write!(out, "#b{:0digits$b}", big(), digits = width as usize),
    };
}

fn push_string(points: &[u32], out: &mut String) {
    out.push('"');
    for &point in points {
        match char::from_u32(point) {
            Some('"') => out.push_str("\"\""),
            // A backslash could begin an escape.
            Some(c) if (' '..='~').contains(&c) && c != '\\' => out.push(c),
            _ => {
                let _ = write!(out, "\\u{{{point:x}}}");
            }
        }
    }
    out.push('"');
}
