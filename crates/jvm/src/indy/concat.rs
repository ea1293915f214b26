//! `StringConcatFactory`: a static method that appends the pieces of the recipe in order.
//!
//! The text of each type is the JDK's own (`StringBuilder.append`), interpreted, so it is right for each
//! version. Where all arguments are whole numbers, characters, strings or boxes of such, no `toString` needs
//! to run, and the result is made at once; with symbolic values among them it is a rope.

use super::assemble::{Assembler, Call, Member, PUBLIC, STATIC, slots, split};
use crate::rope::Part;
use crate::value::{Kind, Value};

/// Name of the static method that concatenates.
pub(crate) const JOIN: &str = "join";

const BUILDER: &str = "java/lang/StringBuilder";

/// One piece of the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Fixed text, in UTF-16.
    Text(Vec<u16>),
    /// The next argument.
    Argument,
}

/// Splits a recipe: `\u{1}` is an argument, `\u{2}` the next constant (already as text).
#[must_use]
pub(crate) fn pieces(recipe: &[u16], constants: &[Vec<u16>]) -> Vec<Piece> {
    let mut constants = constants.iter();
    let mut pieces = Vec::new();
    let mut text = Vec::new();
    for &unit in recipe {
        match unit {
            1 => {
                if !text.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut text)));
                }
                pieces.push(Piece::Argument);
            }
            2 => text.extend(constants.next().into_iter().flatten()),
            _ => text.push(unit),
        }
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    pieces
}

/// The type under which `StringBuilder.append` takes an argument of type `descriptor`.
fn append_type(descriptor: &str) -> &str {
    match descriptor {
        "B" | "S" => "I",
        "Z" | "C" | "I" | "J" | "F" | "D" | "Ljava/lang/String;" => descriptor,
        _ => "Ljava/lang/Object;",
    }
}

/// Appends the value on top of the stack to the builder below it.
fn write_append(out: &mut Assembler, descriptor: &str) {
    let descriptor = format!("({})L{BUILDER};", append_type(descriptor));
    out.call_virtual(BUILDER, "append", &descriptor);
}

/// Begins a builder on the stack.
pub(crate) fn write_builder(out: &mut Assembler) {
    out.new_object(BUILDER);
    out.op(89);
    out.invoke(Call::Special, Member::new(BUILDER, "<init>", "()V"));
}

/// Appends fixed text.
pub(crate) fn write_text(out: &mut Assembler, text: &[u16]) {
    out.string(text);
    write_append(out, "Ljava/lang/String;");
}

/// Appends the value on top of the stack, whose type is `descriptor`.
pub(crate) fn write_value(out: &mut Assembler, descriptor: &str) {
    write_append(out, descriptor);
}

/// Turns the builder into its string.
pub(crate) fn write_finish(out: &mut Assembler) {
    out.call_virtual(BUILDER, "toString", "()Ljava/lang/String;");
}

/// The parts of the result, if no argument needs a call of `toString`.
pub(crate) fn parts(call: &crate::native::Call, pieces: &[Piece], kinds: &[Kind]) -> Option<Vec<Part>> {
    let mut parts = Vec::with_capacity(pieces.len());
    let mut arguments = call.args.iter().zip(kinds);
    for piece in pieces {
        let Piece::Argument = piece else {
            if let Piece::Text(text) = piece {
                parts.push(Part::Text(text.as_slice().into()));
            }
            continue;
        };
        let (value, kind) = arguments.next()?;
        match (*value, *kind) {
            (Value::Null, _) => parts.push(Part::text("null")),
            (Value::Float(_) | Value::Double(_), _) => return None,
            (Value::Ref(object), _) => match call.jvm.parts(call.state, object) {
                Some(text) => parts.extend_from_slice(&text),
                None => parts.push(crate::natives::number(call, object)?),
            },
            (value, kind) => parts.push(Part::of(kind, value)),
        }
    }
    Some(parts)
}

/// The class file for a concatenation site.
#[must_use]
pub(crate) fn spin(name: &str, site: &str, pieces: &[Piece]) -> Vec<u8> {
    let mut out = Assembler::new(name, "java/lang/Object", &[]);
    let (parameters, result) = split(site);
    let mut slot = 0;
    let mut next = parameters.iter();
    out.begin(PUBLIC | STATIC, JOIN, site);
    write_builder(&mut out);
    for piece in pieces {
        match piece {
            Piece::Text(text) => write_text(&mut out, text),
            Piece::Argument => {
                if let Some(parameter) = next.next() {
                    out.load(parameter, slot);
                    write_append(&mut out, parameter);
                    slot += slots(parameter);
                }
            }
        }
    }
    write_finish(&mut out);
    out.give(result);
    out.end(0);
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recipes_split_into_pieces() {
        let recipe: Vec<u16> = "a\u{1}\u{1}b\u{2}c".encode_utf16().collect();
        let text = |t: &str| Piece::Text(t.encode_utf16().collect());
        let constant = vec!["K".encode_utf16().collect()];
        assert_eq!(pieces(&recipe, &constant), [text("a"), Piece::Argument, Piece::Argument, text("bKc")]);
    }
}
