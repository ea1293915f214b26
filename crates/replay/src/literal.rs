//! Values as Java source.
//!
//! The source is pure ASCII, so that no compiler's idea of an encoding changes a string. Java replaces
//! `\uXXXX` before it looks at anything else: quotes, backslashes and line ends must have their own escapes,
//! and only the rest may use it.

use crate::layout::Doc;
use crate::names::{Names, is_identifier};
use crate::value::box_of;
use crate::{JavaValue, Made};
use evergreen_classfile::{MethodDescriptor, Type};
use std::fmt::Write;

/// A value as an expression of exactly its type.
pub(crate) fn expression(value: &JavaValue, names: &mut Names) -> Doc {
    match value {
        JavaValue::Boolean(value) => Doc::text(value.to_string()),
        JavaValue::Byte(value) => {
            Doc::text(narrow("byte", "Byte", *value as i32, i8::MIN as i32, i8::MAX as i32))
        }
        JavaValue::Short(value) => {
            Doc::text(narrow("short", "Short", *value as i32, i16::MIN as i32, i16::MAX as i32))
        }
        JavaValue::Char(value) => Doc::text(char_literal(*value)),
        JavaValue::Int(i32::MIN) => Doc::text("Integer.MIN_VALUE"),
        JavaValue::Int(i32::MAX) => Doc::text("Integer.MAX_VALUE"),
        JavaValue::Int(value) => Doc::text(value.to_string()),
        JavaValue::Long(i64::MIN) => Doc::text("Long.MIN_VALUE"),
        JavaValue::Long(i64::MAX) => Doc::text("Long.MAX_VALUE"),
        JavaValue::Long(value) => Doc::text(format!("{value}L")),
        JavaValue::Float(value) => Doc::text(float(*value)),
        JavaValue::Double(value) => Doc::text(double(*value)),
        JavaValue::Null => Doc::text("null"),
        JavaValue::String(units) => string_doc(units),
        JavaValue::Array { element, items } => array(element, items, names),
        JavaValue::Boxed(value) => boxed(value, names),
        JavaValue::Enum { class, name } if is_constant(class, name, names) => {
            Doc::text(format!("{}.{name}", names.class(class).unwrap_or_default()))
        }
        JavaValue::Enum { class, name } | JavaValue::Static { class, name } => {
            names.read_constant();
            let text = |text: &str| string_doc(&text.encode_utf16().collect::<Vec<u16>>());
            Doc::call("constant", vec![text(class), text(name)])
        }
        JavaValue::Ref(object) => Doc::text(names.object(*object)),
        JavaValue::Made(made) => made_by(made, names),
        JavaValue::Function(function) => crate::lambda::lambda(function, names),
        // No source makes it; the caller notes that at the place where it stands.
        JavaValue::Object { .. } => Doc::text("null"),
    }
}

/// Whether source can name a constant of an enum.
pub(crate) fn is_constant(class: &str, name: &str, names: &Names) -> bool {
    names.can_name(class) && is_identifier(name)
}

/// The same for an element of an array, where Java knows the type from the place.
fn item(place: &Type, value: &JavaValue, names: &mut Names) -> Doc {
    match value {
        JavaValue::Byte(value) => Doc::text(value.to_string()),
        JavaValue::Short(value) => Doc::text(value.to_string()),
        JavaValue::Array { element, items } if !all_default(items) && is_array_of(place, element) => {
            braces(element, items, names)
        }
        // Its variable may be declared as an `Object`.
        JavaValue::Enum { class, name } if !is_constant(class, name, names) => {
            Doc::text(format!("({}) {}", names.type_name(place), expression(value, names).flat()))
        }
        JavaValue::Made(made) if is_reflective(made, names) => cast(place, value, names),
        JavaValue::Ref(_) if *place != Type::Class("java/lang/Object".into()) => {
            Doc::text(format!("({}) {}", names.type_name(place), expression(value, names).flat()))
        }
        value => expression(value, names),
    }
}

/// A call that makes an object.
fn made_by(made: &Made, names: &mut Names) -> Doc {
    if let Some(entries) = made.entries() {
        names.put_entries();
        let class = names.class(&made.class).unwrap_or_default();
        let new = Doc::text(format!("new {class}()"));
        let object = Type::Class("java/lang/Object".into());
        let entries = entries.iter().map(|entry| item(&object, entry, names));
        return Doc::call("map", std::iter::once(new).chain(entries).collect());
    }
    if let Some(list) = made.iterated() {
        return Doc::seq(vec![made_by(list, names), Doc::text(".iterator()")]);
    }
    let parsed = MethodDescriptor::parse(&made.descriptor).ok();
    let (types, result) = parsed.map_or((Vec::new(), None), |parsed| (parsed.parameters, parsed.result));
    let is_reflective = is_reflective(made, names);
    let arguments = made.arguments.iter().zip(&types).map(|(value, of)| {
        // Reflection takes objects, and would take an array of them for all of its arguments.
        let of =
            if is_reflective && of.is_reference() { &Type::Class("java/lang/Object".into()) } else { of };
        argument(value, Some(of.clone()), names)
    });
    let mut arguments: Vec<Doc> = arguments.collect();
    let on = made.on().map(|(on, _)| {
        arguments.remove(0);
        receiver(on, &types[0], names)
    });
    // A call that returns nothing is no expression.
    let (on, changed) = match on {
        Some(on) if made.is_change() => {
            names.change();
            (Some(Doc::text(CHANGED)), Some(on))
        }
        on => (on, None),
    };
    let call = call_of(made, (types, result, on), arguments, is_reflective, names);
    match changed {
        Some(object) => {
            let change = Doc::seq(vec![Doc::text(format!("{CHANGED} -> ")), call]);
            Doc::call("after", vec![object, change])
        }
        None => call,
    }
}

/// The variable of an object that is changed.
pub(crate) const CHANGED: &str = "changed";

/// The call alone.
fn call_of(
    made: &Made,
    (types, result, on): (Vec<Type>, Option<Type>, Option<Doc>),
    arguments: Vec<Doc>,
    is_reflective: bool,
    names: &mut Names,
) -> Doc {
    let class = names.class(&made.class).filter(|_| !is_reflective);
    if let Some(class) = class {
        return match made.is_new() {
            true => Doc::call(&format!("new {class}"), arguments),
            // What a `Class<?>` is about fits no bound of a type variable; that of a raw one fits all.
            false if (class.as_str(), made.method.as_str()) == ("java.lang.Class", "forName") => {
                Doc::seq(vec![Doc::text("(Class) "), Doc::call("Class.forName", arguments)])
            }
            false => {
                let call = match on {
                    Some(on) => Doc::seq(vec![on, Doc::call(&format!(".{}", made.method), arguments)]),
                    None => Doc::call(&format!("{class}.{}", made.method), arguments),
                };
                // `Cell.of((Object) null)` is a `Cell<Object>`; a raw one fits all.
                let says_object = |(value, of): (&JavaValue, &Type)| {
                    *value == JavaValue::Null && *of == Type::Class("java/lang/Object".into())
                };
                let is_generic = made.arguments.iter().zip(&types).any(says_object);
                match result.filter(|of| is_generic && names.can_name_type(of)) {
                    Some(of) => Doc::seq(vec![Doc::text(format!("({}) ", names.type_name(&of))), call]),
                    None => call,
                }
            }
        };
    }
    let types = types.iter().skip(usize::from(on.is_some()));
    let types: Vec<Doc> = types.map(|of| Doc::text(class_of(of, names))).collect();
    let types = Doc::seq(vec![Doc::text("new Class<?>[] "), Doc::list("{", types, "}")]);
    let class = Doc::text(class_of(&Type::Class(made.class.replace('.', "/").into()), names));
    let first = match made.is_new() {
        true => vec![class, types],
        false => vec![class, on.unwrap_or_else(|| Doc::text("null")), Doc::text(quoted(&made.method)), types],
    };
    let function = if made.is_new() { "construct" } else { "invoke" };
    Doc::call(function, first.into_iter().chain(arguments).collect())
}

/// What a method is called on.
fn receiver(on: &JavaValue, of: &Type, names: &mut Names) -> Doc {
    match on {
        JavaValue::Made(made) if is_reflective(made, names) && names.can_name_type(of) => {
            Doc::seq(vec![Doc::text("("), cast(of, on, names), Doc::text(")")])
        }
        on => expression(on, names),
    }
}

/// Whether source calls it by reflection.
pub(crate) fn is_reflective(made: &Made, names: &Names) -> bool {
    let is_name = made.is_new() || is_identifier(&made.method);
    let types = MethodDescriptor::parse(&made.descriptor).map(|parsed| parsed.parameters).unwrap_or_default();
    made.hidden || !is_name || !names.can_name(&made.class) || !types.iter().all(|of| names.can_name_type(of))
}

/// A class as an object. One that may be private is asked for by its name.
pub(crate) fn class_of(of: &Type, names: &mut Names) -> String {
    match of {
        of if names.can_name_type(of) && !of.to_string().contains('$') => {
            format!("{}.class", names.type_name(of))
        }
        Type::Class(name) => format!("Class.forName({})", quoted(&name.replace('/', "."))),
        of => format!("Class.forName({})", quoted(&of.to_string().replace('/', "."))),
    }
}

/// As a string literal.
pub(crate) fn quoted(text: &str) -> String {
    string_literal(&text.encode_utf16().collect::<Vec<u16>>())
}

pub(crate) fn cast(of: &Type, value: &JavaValue, names: &mut Names) -> Doc {
    Doc::seq(vec![Doc::text(format!("({}) ", names.type_name(of))), expression(value, names)])
}

/// An argument. An argument that fits several overloads states its type: null always, and an array
/// that is passed as an object.
pub(crate) fn argument(value: &JavaValue, place: Option<Type>, names: &mut Names) -> Doc {
    match (value, place) {
        (JavaValue::Null, Some(of)) => Doc::text(format!("({}) null", names.type_name(&of))),
        // It stands in a test that is disabled.
        (JavaValue::Object { class }, Some(of)) => {
            let class = class.as_deref().map_or("an unknown class".into(), crate::junit::word);
            Doc::text(format!("({}) null /* an object of {class} */", names.type_name(&of)))
        }
        (JavaValue::Array { .. }, Some(of @ Type::Class(_))) => cast(&of, value, names),
        // Read by reflection it is an `Object`.
        (JavaValue::Enum { class, name }, Some(of)) if !is_constant(class, name, names) => {
            cast(&of, value, names)
        }
        (JavaValue::Made(made), Some(of)) if is_reflective(made, names) => cast(&of, value, names),
        (JavaValue::Function(function), Some(of)) => crate::lambda::argument(function, value, &of, names),
        (value, _) => expression(value, names),
    }
}

/// Whether `place` is exactly the type of arrays of `element`: an `Object[]` may hold an `int[]`, but
/// needs the type in the source.
fn is_array_of(place: &Type, element: &Type) -> bool {
    matches!(place, Type::Array(inner) if **inner == *element)
}

/// `{1, 2, 3}`: an array where its type is known.
pub(crate) fn braces(element: &Type, items: &[JavaValue], names: &mut Names) -> Doc {
    let items = items.iter().map(|value| item(element, value, names)).collect();
    Doc::list("{", items, "}")
}

fn array(element: &Type, items: &[JavaValue], names: &mut Names) -> Doc {
    let name = names.type_name(&Type::Array(Box::new(element.clone())));
    if all_default(items) {
        // `int[][]` with a length is `new int[3][]`.
        let place = name.find("[]").unwrap_or(name.len());
        return Doc::text(format!("new {}[{}]{}", &name[..place], items.len(), &name[place + 2..]));
    }
    Doc::seq(vec![Doc::text(format!("new {name} ")), braces(element, items, names)])
}

/// Whether `new T[n]` is the same array, and shorter.
pub(crate) fn all_default(items: &[JavaValue]) -> bool {
    (items.is_empty() || items.len() > 3) && items.iter().all(JavaValue::is_default)
}

fn boxed(value: &JavaValue, names: &mut Names) -> Doc {
    let class = names.class(box_of(value).unwrap_or("java.lang.Object")).unwrap_or_default();
    Doc::list(&format!("{class}.valueOf("), vec![expression(value, names)], ")")
}

fn narrow(name: &str, class: &str, value: i32, least: i32, most: i32) -> String {
    if value == least {
        format!("{class}.MIN_VALUE")
    } else if value == most {
        format!("{class}.MAX_VALUE")
    } else {
        format!("({name}) {value}")
    }
}

fn float(value: f32) -> String {
    if value.is_nan() {
        // Java's own NaN has these bits; others must be computed.
        return match value.to_bits() {
            0x7fc0_0000 => "Float.NaN".into(),
            bits => format!("Float.intBitsToFloat(0x{bits:08x})"),
        };
    }
    match value {
        f32::INFINITY => "Float.POSITIVE_INFINITY".into(),
        f32::NEG_INFINITY => "Float.NEGATIVE_INFINITY".into(),
        f32::MAX => "Float.MAX_VALUE".into(),
        value if value.to_bits() == 1 => "Float.MIN_VALUE".into(),
        // The shortest decimal that reads back as the same float; `{:?}` always has a point or an exponent.
        value => format!("{value:?}f"),
    }
}

fn double(value: f64) -> String {
    if value.is_nan() {
        return match value.to_bits() {
            0x7ff8_0000_0000_0000 => "Double.NaN".into(),
            bits => format!("Double.longBitsToDouble(0x{bits:016x}L)"),
        };
    }
    match value {
        f64::INFINITY => "Double.POSITIVE_INFINITY".into(),
        f64::NEG_INFINITY => "Double.NEGATIVE_INFINITY".into(),
        f64::MAX => "Double.MAX_VALUE".into(),
        value if value.to_bits() == 1 => "Double.MIN_VALUE".into(),
        value => format!("{value:?}"),
    }
}

/// A character inside of quotes of the kind `quote`.
fn escape(unit: u16, quote: char, out: &mut String) {
    match char::from_u32(unit as u32) {
        Some('\n') => out.push_str("\\n"),
        Some('\r') => out.push_str("\\r"),
        Some('\t') => out.push_str("\\t"),
        Some('\x08') => out.push_str("\\b"),
        Some('\x0c') => out.push_str("\\f"),
        Some('\\') => out.push_str("\\\\"),
        Some(character) if character == quote => {
            out.push('\\');
            out.push(character);
        }
        Some(character @ ' '..='~') => out.push(character),
        _ => {
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
}

fn char_literal(unit: u16) -> String {
    let mut out = String::from("'");
    escape(unit, '\'', &mut out);
    out.push('\'');
    out
}

/// A string literal.
pub(crate) fn string_literal(units: &[u16]) -> String {
    let mut out = String::from("\"");
    for unit in units {
        escape(*unit, '"', &mut out);
    }
    out.push('"');
    out
}

/// A string literal that can be broken: after its line ends, else between words, else after 60 units.
fn string_doc(units: &[u16]) -> Doc {
    let flat = string_literal(units);
    if flat.len() <= 72 {
        return Doc::text(flat);
    }
    let mut pieces = Vec::new();
    let mut rest = units;
    while !rest.is_empty() {
        let window = &rest[..rest.len().min(60)];
        let line = window.iter().position(|unit| *unit == b'\n' as u16).map(|at| at + 1);
        let word = || window.iter().rposition(|unit| *unit == b' ' as u16).map(|at| at + 1);
        let at = match line {
            None if window.len() < rest.len() => word().unwrap_or(window.len()),
            line => line.unwrap_or(window.len()),
        };
        let (piece, after) = rest.split_at(at);
        pieces.push(Doc::text(string_literal(piece)));
        rest = after;
    }
    Doc::sum(flat, pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: JavaValue, expected: &str) {
        assert_eq!(expression(&value, &mut Names::new("", "T")).flat(), expected);
    }

    #[test]
    fn numbers_keep_type_and_value() {
        check(JavaValue::Byte(-3), "(byte) -3");
        check(JavaValue::Byte(-128), "Byte.MIN_VALUE");
        check(JavaValue::Short(32767), "Short.MAX_VALUE");
        check(JavaValue::Int(i32::MIN), "Integer.MIN_VALUE");
        check(JavaValue::Int(-7), "-7");
        check(JavaValue::Long(-7), "-7L");
        check(JavaValue::Long(i64::MIN), "Long.MIN_VALUE");
        check(JavaValue::Boolean(true), "true");
    }

    #[test]
    fn floats_read_back_exactly() {
        check(JavaValue::Float(0.1), "0.1f");
        check(JavaValue::Double(-0.0), "-0.0");
        check(JavaValue::Double(1e300), "1e300");
        check(JavaValue::Double(3.0), "3.0");
        check(JavaValue::Float(f32::from_bits(0x7fc0_0000)), "Float.NaN");
        check(JavaValue::Float(f32::from_bits(0xffc0_0001)), "Float.intBitsToFloat(0xffc00001)");
        check(JavaValue::Double(f64::NEG_INFINITY), "Double.NEGATIVE_INFINITY");
        check(JavaValue::Double(f64::from_bits(1)), "Double.MIN_VALUE");
    }

    #[test]
    fn text_is_escaped() {
        check(JavaValue::Char(b'\'' as u16), r"'\''");
        check(JavaValue::Char(b'"' as u16), "'\"'");
        check(JavaValue::Char(10), r"'\n'");
        check(JavaValue::Char(0xd800), r"'\ud800'");
        check(JavaValue::string("a\"b\\u0041'\r\u{7f}\u{e9}"), r#""a\"b\\u0041'\r\u007f\u00e9""#);
    }

    #[test]
    fn long_text_is_broken_between_words() {
        let text = format!("{}\n{}{}", "word ".repeat(20), "x".repeat(70), "word ".repeat(20));
        let Doc::Sum { flat, pieces } = string_doc(&text.encode_utf16().collect::<Vec<u16>>()) else {
            panic!()
        };
        let pieces: Vec<String> = pieces.iter().map(Doc::flat).collect();
        assert_eq!(
            pieces.iter().map(|piece| &piece[1..piece.len() - 1]).collect::<String>(),
            flat[1..flat.len() - 1]
        );
        assert_eq!(pieces[0], format!("\"{}\"", "word ".repeat(12)));
        assert_eq!(pieces[1], format!("\"{}\\n\"", "word ".repeat(8)));
        assert_eq!(pieces[2], format!("\"{}\"", "x".repeat(60)));
        assert!(pieces[3].starts_with("\"xxxxxxxxxxword ") && pieces[3].ends_with(" \""));
    }

    #[test]
    fn arrays_are_as_short_as_their_type_allows() {
        let ints = |values: &[i32]| JavaValue::Array {
            element: Type::Int,
            items: values.iter().map(|v| JavaValue::Int(*v)).collect(),
        };
        let int_array = || Type::Array(Box::new(Type::Int));
        check(ints(&[1, 2]), "new int[] {1, 2}");
        check(ints(&[0, 0]), "new int[] {0, 0}");
        check(ints(&[0; 100]), "new int[100]");
        check(ints(&[]), "new int[0]");
        check(
            JavaValue::Array { element: int_array(), items: vec![ints(&[1]), ints(&[]), JavaValue::Null] },
            "new int[][] {{1}, new int[0], null}",
        );
        check(JavaValue::Array { element: int_array(), items: vec![JavaValue::Null; 4] }, "new int[4][]");
        check(
            JavaValue::Array { element: Type::Byte, items: vec![JavaValue::Byte(1), JavaValue::Byte(-128)] },
            "new byte[] {1, -128}",
        );
        let object = Type::Class("java/lang/Object".into());
        check(
            JavaValue::Array { element: object, items: vec![JavaValue::Boxed(Box::new(JavaValue::Byte(1)))] },
            "new Object[] {Byte.valueOf((byte) 1)}",
        );
        let object = Type::Class("java/lang/Object".into());
        check(JavaValue::Array { element: object, items: vec![ints(&[1])] }, "new Object[] {new int[] {1}}");
    }
}
