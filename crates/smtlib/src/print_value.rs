//! Values as SMT-LIB text, in the form that the reader turns back into the same literal.

use crate::print::{print_function_spelled, push_applied};
use crate::print_sort::{push_sort, push_symbol};
use crate::spelling::Spelling;
use evergreen_term::{Terms, Value};
use std::fmt::Write as _;

/// The text of a value.
pub fn print_value(terms: &Terms, value: &Value) -> String {
    let mut out = String::new();
    push_value(terms, value, &mut out);
    out
}

/// As [`print_value`], at the end of a text.
pub fn push_value(terms: &Terms, value: &Value, out: &mut String) {
    push_spelled(terms, value, Spelling::Standard, out);
}

/// A value as a solver writes it, at the end of a text.
pub fn push_spelled(terms: &Terms, value: &Value, spelling: Spelling, out: &mut String) {
    match value {
        Value::BitVec(bits) => spelling.push_bits(bits, out),
        Value::Real(real) => spelling.push_real(real, out),
        Value::Float(float) => spelling.push_float(float, out),
        Value::RoundingMode(mode) => spelling.push_rounding(*mode, out),
        Value::Bool(_) | Value::Int(_) | Value::String(_) => {
            let _ = write!(out, "{value}");
        }
        Value::Array(array) => {
            for _ in &array.entries {
                out.push_str("(store ");
            }
            out.push_str("((as const ");
            push_sort(terms, array.sort, out);
            out.push_str(") ");
            push_spelled(terms, &array.default, spelling, out);
            out.push(')');
            for (index, element) in &array.entries {
                out.push(' ');
                push_spelled(terms, index, spelling, out);
                out.push(' ');
                push_spelled(terms, element, spelling, out);
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
                push_spelled(terms, field, spelling, out);
            }
            out.push(')');
        }
        Value::Element(sort, name) => {
            let text = terms.text(*name);
            if spelling.qualifies(text) {
                let _ = write!(out, "(as {text} ");
                push_sort(terms, *sort, out);
                out.push(')');
            } else {
                push_symbol(text, out);
            }
        }
        Value::Function(function) => {
            let (params, body) = print_function_spelled(terms, &function.params, function.body, spelling);
            let _ = write!(out, "(lambda {params} {body})");
        }
    }
}
