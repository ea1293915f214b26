//! Values as SMT-LIB text, in the form that the reader turns back into the same literal.

use crate::print::{print_function, push_applied};
use crate::print_sort::{push_sort, push_symbol};
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
    match value {
        Value::Bool(_)
        | Value::Int(_)
        | Value::Real(_)
        | Value::BitVec(_)
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
