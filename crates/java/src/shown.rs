//! What the end of a path shows to an observer: the class of the outcome, the value, what was printed.

use crate::case::short;
use crate::ending::java_value;
use evergreen_deciding::probability::{Class, Printed, ShowInteger, Shown};
use evergreen_jvm::{Ending, Jvm, Kind, Outcome, Piece, Stream, Value, print};
use evergreen_replay::JavaValue;
use evergreen_symbolic::{Assignment, Const, Expr, Input};
use std::sync::Arc;

/// What the end of a path shows; `result` is the descriptor of what the method returns.
pub(crate) fn shown(jvm: &Jvm, outcome: &Outcome, result: &str) -> Option<Shown> {
    // How many texts a string has is not counted.
    if outcome.output.iter().any(|piece| matches!(piece, Piece::Input(Stream::Out, ..))) {
        return None;
    }
    let printed = outcome.output.iter().filter_map(|piece| match piece {
        Piece::Text(Stream::Out, units) => Some(Printed::Text(units.to_vec())),
        Piece::Symbolic(Stream::Out, kind, expr) => Some(Printed::Value(*expr, printing(*kind))),
        _ => None,
    });
    let printed = printed.collect();
    let (class, value) = match &outcome.ending {
        Ending::Returned(None) => (Class::Returned(String::new()), None),
        Ending::Returned(Some(value)) => returned(jvm, outcome, *value, result),
        Ending::Threw { class, .. } => (Class::Threw(class.replace('/', ".")), None),
        Ending::Exited(status) => (Class::Exited(*status), None),
        _ => return None,
    };
    Some(Shown { class, value, printed })
}

/// The inputs that a path drew.
pub(crate) fn drawn(jvm: &Jvm, outcome: &Outcome) -> Vec<(Arc<str>, Option<Input>)> {
    let input = |value: Value| match value {
        Value::Sym(expr) => jvm.exprs.borrow().as_input(expr),
        _ => None,
    };
    outcome.draws.iter().map(|draw| (draw.name.clone(), input(draw.value))).collect()
}

/// How integers of a kind are printed.
fn printing(kind: Kind) -> ShowInteger {
    match kind {
        Kind::Char => ShowInteger { write: |n| print(Kind::Char, Value::Int(n as i32)), is_character: true },
        Kind::Boolean => {
            ShowInteger { write: |n| print(Kind::Boolean, Value::Int(n as i32)), is_character: false }
        }
        _ => ShowInteger { write: |n| print(Kind::Long, Value::Long(n)), is_character: false },
    }
}

/// How a returned integer of a primitive type is written: as [`text`] writes it, since the same value is the
/// same outcome, wherever it comes from.
fn returning(descriptor: &str) -> ShowInteger {
    let write: fn(i64) -> Vec<u16> = match descriptor {
        "Z" => |n| units(&JavaValue::Boolean(n != 0)),
        "B" => |n| units(&JavaValue::Byte(n as i8)),
        "C" => |n| units(&JavaValue::Char(n as u16)),
        "S" => |n| units(&JavaValue::Short(n as i16)),
        "J" => |n| units(&JavaValue::Long(n)),
        _ => |n| units(&JavaValue::Int(n as i32)),
    };
    ShowInteger { write, is_character: descriptor == "C" }
}

fn units(value: &JavaValue) -> Vec<u16> {
    short(value).encode_utf16().collect()
}

/// The text of a value.
fn text(jvm: &Jvm, outcome: &Outcome, value: Value, descriptor: &str) -> String {
    short(&java_value(&jvm.describe(&outcome.state, value, descriptor, &Assignment::new())))
}

fn returned(
    jvm: &Jvm,
    outcome: &Outcome,
    value: Value,
    result: &str,
) -> (Class, Option<(Expr, ShowInteger)>) {
    match value {
        Value::Sym(expr) => match jvm.exprs.borrow().as_const(expr) {
            Some(constant) => {
                let value = of_constant(constant);
                (Class::Returned(text(jvm, outcome, value, result)), None)
            }
            None => (Class::Varying, Some((expr, returning(result)))),
        },
        Value::Ref(object) => {
            let described = java_value(&jvm.describe(&outcome.state, value, result, &Assignment::new()));
            match &described {
                JavaValue::Enum { .. } | JavaValue::Static { .. } => {
                    (Class::Returned(short(&described)), None)
                }
                JavaValue::String(_) => match jvm.string_units(&outcome.state, object) {
                    Some(units) => (Class::Returned(format!("{:?}", String::from_utf16_lossy(&units))), None),
                    None => (Class::Varying, None),
                },
                // What is in other objects may depend on the inputs.
                _ => (Class::Varying, None),
            }
        }
        other => (Class::Returned(text(jvm, outcome, other, result)), None),
    }
}

/// A constant as a value of the machine.
fn of_constant(constant: Const) -> Value {
    match constant {
        Const::I32(n) => Value::Int(n),
        Const::I64(n) => Value::Long(n),
        Const::F32(bits) => Value::Float(f32::from_bits(bits)),
        Const::F64(bits) => Value::Double(f64::from_bits(bits)),
    }
}
