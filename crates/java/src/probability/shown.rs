//! What a path's end shows to someone who watches: the class of the outcome, the value, what was printed.

use super::distribution::Class;
use crate::case::short;
use crate::ending::java_value;
use evergreen_jvm::{Ending, Jvm, Outcome, Piece, Stream, Value};
use evergreen_replay::JavaValue;
use evergreen_symbolic::{Assignment, Const, Expr};

/// What a path shows, for all inputs that take it.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    /// The class of its outcome, as far as it is the same for all inputs.
    pub(crate) class: Class,
    /// The value that is returned, if it depends on the inputs, and its descriptor.
    pub(crate) value: Option<(Expr, String)>,
    /// What was printed, if it is the same for all inputs.
    pub(crate) output: Option<String>,
    /// What was printed, in pieces.
    pub(crate) printed: Vec<Piece>,
}

impl Shown {
    /// What is printed and depends on the inputs.
    pub(crate) fn varying(&self) -> impl Iterator<Item = Expr> {
        self.printed.iter().filter_map(|piece| match piece {
            Piece::Symbolic(_, _, expr) => Some(*expr),
            Piece::Text(..) => None,
        })
    }

    /// Whether it shows an object whose content may depend on any input.
    pub(crate) fn is_unknown(&self) -> bool {
        self.class == Class::Varying && self.value.is_none()
    }
}

/// What the end of a path shows; `result` is the descriptor of what the method returns.
pub(crate) fn shown(jvm: &Jvm, outcome: &Outcome, result: &str) -> Option<Shown> {
    let is_out =
        |piece: &&Piece| matches!(piece, Piece::Text(Stream::Out, _) | Piece::Symbolic(Stream::Out, ..));
    let printed: Vec<Piece> = outcome.output.iter().filter(is_out).cloned().collect();
    let fixed = !printed.iter().any(|piece| matches!(piece, Piece::Symbolic(..)));
    let no_inputs = Assignment::new();
    let output =
        fixed.then(|| String::from_utf16_lossy(&jvm.printed(&outcome.output, Stream::Out, &no_inputs)));
    let (class, value) = match &outcome.ending {
        Ending::Returned(None) => (Class::Returned(String::new()), None),
        Ending::Returned(Some(value)) => returned(jvm, outcome, *value, result),
        Ending::Threw { class, .. } => (Class::Threw(class.replace('/', ".")), None),
        Ending::Exited(status) => (Class::Exited(*status), None),
        _ => return None,
    };
    Some(Shown { class, value, output, printed })
}

/// The text of a value.
pub(super) fn text(jvm: &Jvm, outcome: &Outcome, value: Value, descriptor: &str) -> String {
    short(&java_value(&jvm.describe(&outcome.state, value, descriptor, &Assignment::new())))
}

/// The text of an integer of a primitive type, as [`text`] has it: the same value is the same outcome, wherever it comes from.
pub(super) fn integer_text(value: i64, descriptor: &str) -> String {
    short(&match descriptor {
        "Z" => JavaValue::Boolean(value != 0),
        "B" => JavaValue::Byte(value as i8),
        "C" => JavaValue::Char(value as u16),
        "S" => JavaValue::Short(value as i16),
        "J" => JavaValue::Long(value),
        _ => JavaValue::Int(value as i32),
    })
}

fn returned(jvm: &Jvm, outcome: &Outcome, value: Value, result: &str) -> (Class, Option<(Expr, String)>) {
    match value {
        Value::Sym(expr) => match jvm.exprs.borrow().as_const(expr) {
            Some(constant) => {
                let value = of_constant(constant);
                (Class::Returned(text(jvm, outcome, value, result)), None)
            }
            None => (Class::Varying, Some((expr, result.to_string()))),
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
pub(crate) fn of_constant(constant: Const) -> Value {
    match constant {
        Const::I32(n) => Value::Int(n),
        Const::I64(n) => Value::Long(n),
        Const::F32(bits) => Value::Float(f32::from_bits(bits)),
        Const::F64(bits) => Value::Double(f64::from_bits(bits)),
    }
}
