//! Values for people and tests: the concrete value under an assignment of the inputs.

use std::sync::Arc;

use evergreen_symbolic::Assignment;

use crate::classes::{Shape, access};
use crate::machine::Jvm;
use crate::object::{Body, Written};
use crate::outcome::{Piece, Stream};
use crate::state::State;
use crate::step::symbolic::from_const;
use crate::value::{Kind, Ref, Value};

/// A Java value without machine and state.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Described {
    Boolean(bool),
    Byte(i8),
    Char(u16),
    Short(i16),
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Null,
    /// A string, UTF-16.
    String(Vec<u16>),
    /// An array: the descriptor of its elements, and the elements.
    Array {
        element: Arc<str>,
        items: Vec<Described>,
    },
    /// A value in a box such as `java.lang.Integer`.
    Boxed(Box<Described>),
    /// An enum constant: internal name of the enum, name of the constant.
    Enum {
        class: Arc<str>,
        name: String,
    },
    /// The value of a static field: internal name of its class, its name.
    Static {
        class: Arc<str>,
        name: Arc<str>,
    },
    /// An object that a call makes.
    Call(Box<crate::made::DescribedCall>),
    /// A function of the input.
    Function(Box<crate::made::DescribedFunction>),
    /// The lazy object at this place among those of the input.
    Input(usize),
    /// Any other object: the internal name of its class.
    Object {
        class: Arc<str>,
    },
}

// Longer arrays of symbolic length are only named.
const MOST_ITEMS: i32 = 1 << 16;

// Deeper arrays are only named: an array may contain itself.
const DEPTH: u32 = 8;

impl Jvm {
    /// The concrete value, of the type `descriptor`, under an assignment of the inputs.
    pub fn describe(&self, state: &State, value: Value, descriptor: &str, inputs: &Assignment) -> Described {
        self.describe_to(state, value, descriptor, inputs, DEPTH)
    }

    /// A value without the inputs in it.
    pub fn evaluate(&self, value: Value, inputs: &Assignment) -> Value {
        match value {
            Value::Sym(expr) => from_const(self.exprs.borrow().eval(expr, inputs)),
            other => other,
        }
    }

    fn describe_to(
        &self,
        state: &State,
        value: Value,
        descriptor: &str,
        inputs: &Assignment,
        depth: u32,
    ) -> Described {
        match self.evaluate(value, inputs) {
            Value::Int(value) => match descriptor {
                "Z" => Described::Boolean(value != 0),
                "B" => Described::Byte(value as i8),
                "C" => Described::Char(value as u16),
                "S" => Described::Short(value as i16),
                _ => Described::Int(value),
            },
            Value::Long(value) => Described::Long(value),
            Value::Float(value) => Described::Float(value),
            Value::Double(value) => Described::Double(value),
            Value::Ref(object) => self.describe_object(state, object, inputs, depth),
            _ => Described::Null,
        }
    }

    fn describe_object(&self, state: &State, object: Ref, inputs: &Assignment, depth: u32) -> Described {
        let found = state.heap.get(object);
        let class = self.class(found.class);
        let named = || Described::Object { class: class.name.clone() };
        if let Shape::Array { .. } = class.shape {
            let element: Arc<str> = class.name[1..].into();
            if depth == 0 {
                return named();
            }
            let items = match &found.body {
                Body::Open(open) => match self.evaluate(Value::Sym(open.length), inputs).as_int() {
                    Some(length @ 0..=MOST_ITEMS) => {
                        (0..length as usize).map(|at| self.open_item(open, at)).collect()
                    }
                    _ => return named(),
                },
                Body::Written(table) => self.written_under(table, inputs),
                body => body.values(),
            };
            let items =
                items.into_iter().map(|item| self.describe_to(state, item, &element, inputs, depth - 1));
            return Described::Array { items: items.collect(), element };
        }
        if Some(class.id) == self.known.string {
            return self.string_under(state, object, inputs).map_or_else(named, Described::String);
        }
        if let Some(kind) = box_kind(&class.name)
            && let Some(field) = class.instance_field("value")
            && let Some(value) = found.body.get(field.slot as usize)
        {
            let letter = kind.letter().to_string();
            return Described::Boxed(Box::new(self.describe_to(state, value, &letter, inputs, depth)));
        }
        self.enum_constant(state, object, inputs).unwrap_or_else(named)
    }

    /// The elements of an array that was written at symbolic places.
    fn written_under(&self, table: &Written, inputs: &Assignment) -> Vec<Value> {
        let mut items = table.base.to_vec();
        for (place, value) in &table.writes {
            let at = self.evaluate(Value::Sym(*place), inputs).as_int().unwrap_or(-1);
            if let Some(item) = usize::try_from(at).ok().and_then(|at| items.get_mut(at)) {
                *item = *value;
            }
        }
        items
    }

    fn enum_constant(&self, state: &State, object: Ref, inputs: &Assignment) -> Option<Described> {
        let found = state.heap.get(object);
        let mut class = self.class(found.class);
        // A constant with a body is of a class of its own, below the enum.
        while class.access & access::ENUM == 0 || self.class(class.superclass?).access & access::ENUM != 0 {
            class = self.class(class.superclass?);
        }
        // The enum may have a field of that name, too.
        let name = self.class(class.superclass?).instance_field("name")?.slot as usize;
        let Value::Ref(name) = found.body.get(name)? else { return None };
        let name = String::from_utf16_lossy(&self.string_under(state, name, inputs)?);
        Some(Described::Enum { class: class.name.clone(), name })
    }

    /// The units of a Java string under an assignment of the inputs.
    pub fn string_under(&self, state: &State, object: Ref, inputs: &Assignment) -> Option<Vec<u16>> {
        if let Some(units) = self.string_units(state, object) {
            return Some(units);
        }
        if let Some(parts) = self.rope(state, object) {
            return Some(self.parts_under(&parts, inputs));
        }
        let found = state.heap.get(object);
        if Some(found.class) != self.known.string {
            return None;
        }
        let coder = self.evaluate(found.body.get(self.known.string_coder)?, inputs).as_int()?;
        let array = found.body.get(self.known.string_value)?.as_ref()?;
        let bytes: Option<Vec<u8>> = match &state.heap.get(array).body {
            Body::Fields(_) => None,
            body => {
                let values = body.values().into_iter();
                values.map(|value| self.evaluate(value, inputs).as_int().map(|byte| byte as u8)).collect()
            }
        };
        let bytes = bytes?;
        Some(match coder {
            0 => bytes.into_iter().map(u16::from).collect(),
            _ => bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect(),
        })
    }

    /// The output on a stream, under an assignment of the inputs; UTF-16.
    pub fn printed(&self, output: &[Piece], stream: Stream, inputs: &Assignment) -> Vec<u16> {
        let mut all = Vec::new();
        for piece in output {
            match piece {
                Piece::Text(to, units) if *to == stream => all.extend_from_slice(units),
                Piece::Symbolic(to, kind, expr) if *to == stream => {
                    let value = self.evaluate(Value::Sym(*expr), inputs);
                    all.extend(print(*kind, value));
                }
                Piece::Input(to, open) if *to == stream => all.extend(self.text_under(open, inputs)),
                _ => {}
            }
        }
        all
    }
}

/// The primitive type in a box class.
pub(crate) fn box_kind(class: &str) -> Option<Kind> {
    Some(match class {
        "java/lang/Boolean" => Kind::Boolean,
        "java/lang/Byte" => Kind::Byte,
        "java/lang/Character" => Kind::Char,
        "java/lang/Short" => Kind::Short,
        "java/lang/Integer" => Kind::Int,
        "java/lang/Long" => Kind::Long,
        "java/lang/Float" => Kind::Float,
        "java/lang/Double" => Kind::Double,
        _ => return None,
    })
}

/// A primitive value as Java prints it.
pub fn print(kind: Kind, value: Value) -> Vec<u16> {
    let text = match (kind, value) {
        (Kind::Char, Value::Int(value)) => return vec![value as u16],
        (Kind::Boolean, Value::Int(value)) => (value != 0).to_string(),
        (_, Value::Int(value)) => value.to_string(),
        (_, Value::Long(value)) => value.to_string(),
        (_, Value::Float(value)) => java_float(f64::from(value), &format!("{value:e}")),
        (_, Value::Double(value)) => java_float(value, &format!("{value:e}")),
        _ => "null".to_owned(),
    };
    text.encode_utf16().collect()
}

// Java's text of a float from its shortest digits in scientific form (`1.25e-7`), as
// Java 19 and later write it.
fn java_float(value: f64, scientific: &str) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_infinite() {
        return format!("{sign}Infinity");
    }
    if value == 0.0 {
        return format!("{sign}0.0");
    }
    let (mantissa, exponent) =
        scientific.trim_start_matches('-').split_once('e').unwrap_or((scientific, "0"));
    let digits = mantissa.replace('.', "");
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let rest = |at: usize| match digits.get(at..) {
        None | Some("") => "0",
        Some(rest) => rest,
    };
    if (0..7).contains(&exponent) {
        let whole = exponent as usize + 1;
        let padded = format!("{digits:0<whole$}");
        format!("{sign}{}.{}", &padded[..whole], rest(whole))
    } else if (-3..0).contains(&exponent) {
        format!("{sign}0.{}{digits}", "0".repeat((-exponent - 1) as usize))
    } else {
        format!("{sign}{}.{}E{exponent}", &digits[..1], rest(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_print_as_java_prints_them() {
        let check = |value: f64, expected: &str| {
            assert_eq!(String::from_utf16_lossy(&print(Kind::Double, Value::Double(value))), expected);
        };
        check(1.0, "1.0");
        check(-0.0, "-0.0");
        check(0.001, "0.001");
        check(0.00099, "9.9E-4");
        check(1234567.0, "1234567.0");
        check(12345678.0, "1.2345678E7");
        check(1e7, "1.0E7");
        check(100.5, "100.5");
        check(1e100, "1.0E100");
        check(f64::NEG_INFINITY, "-Infinity");
        check(f64::MIN_POSITIVE, "2.2250738585072014E-308");
        assert_eq!(String::from_utf16_lossy(&print(Kind::Float, Value::Float(0.1))), "0.1");
    }
}
