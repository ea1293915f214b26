//! Values as SMT-LIB text, in the form that the reader turns back into the same literal.

use crate::print::{print_function, push_applied};
use crate::print_sort::{push_sort, push_symbol};
use evergreen_term::{BitVec, Terms, Value};
use std::fmt::Write as _;

/// The text of a value.
pub fn print_value(terms: &Terms, value: &Value) -> String {
    let mut out = String::new();
    push_value(terms, value, &mut out);
    out
}

/// A bit vector as its display writes it. Values of bytes are most of what clients of path conditions ask
/// for, and formatting one takes longer than finding it.
fn push_bits(bits: &BitVec, out: &mut String) {
    let (width, small) = (bits.width(), bits.to_u128().and_then(|bits| u64::try_from(bits).ok()));
    let (Some(value), true) = (small, width <= 64 && width.is_multiple_of(4)) else {
        let _ = write!(out, "{bits}");
        return;
    };
    out.push_str("#x");
    for digit in (0..width / 4).rev() {
        let digit = value >> (4 * digit) & 0xf;
        out.push(char::from(b"0123456789abcdef"[digit as usize]));
    }
}

/// As [`print_value`], at the end of a text.
pub fn push_value(terms: &Terms, value: &Value, out: &mut String) {
    match value {
        Value::BitVec(bits) => push_bits(bits, out),
        Value::Bool(_)
        | Value::Int(_)
        | Value::Real(_)
        | Value::String(_)
        | Value::Float(_)
        | Value::RoundingMode(_) => {
            let _ = write!(out, "{value}");
        }
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
        Value::Function(function) => {
            let (params, body) = print_function(terms, &function.params, function.body);
            let _ = write!(out, "(lambda {params} {body})");
        }
    }
}
