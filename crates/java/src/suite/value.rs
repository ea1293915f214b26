//! Values as the format has them: Java's literals, short where the type of the place is known.
//!
//! Where no type is known, as in the fields of an object, `5` is an `int`, `5L` a `long`, `(byte) 5` a
//! `byte`, `1.5` a `double` and `1.5f` a `float`. A place with a type takes a plain `5` for its own type, so
//! that people can write what they mean.

use super::{name, types};
use evergreen_classfile::Type;
use evergreen_replay::{Answer, Function, JavaValue, Made};
use evergreen_suite::Flaw;
use evergreen_suite::line::{Line, quoted};

/// Arrays in arrays: deeper ones are no values that a call can be given.
const DEEPEST: usize = 64;

/// A value in a place of this type.
pub(super) fn write(value: &JavaValue, place: Option<&Type>) -> String {
    match value {
        JavaValue::Boolean(value) => value.to_string(),
        JavaValue::Byte(value) => number(value.to_string(), &Type::Byte, place),
        JavaValue::Short(value) => number(value.to_string(), &Type::Short, place),
        JavaValue::Int(value) => number(value.to_string(), &Type::Int, place),
        JavaValue::Long(value) => number(value.to_string(), &Type::Long, place),
        JavaValue::Float(value) => number(float(*value), &Type::Float, place),
        JavaValue::Double(value) => number(double(*value), &Type::Double, place),
        JavaValue::Char(unit) => quoted(&[*unit], '\''),
        JavaValue::Null => "null".into(),
        JavaValue::String(units) => quoted(units, '"'),
        JavaValue::Array { element, items } => {
            let items: Vec<String> = items.iter().map(|item| write(item, Some(element))).collect();
            let items = format!("{{{}}}", items.join(", "));
            match place {
                Some(Type::Array(own)) if **own == *element => items,
                _ => format!("{}[] {items}", types::write(element)),
            }
        }
        JavaValue::Boxed(inner) => match box_of(inner) {
            Some((class, of)) => format!("{class}({})", write(inner, Some(&of))),
            None => write(inner, place),
        },
        JavaValue::Enum { class, name: own } => format!("enum {} {}", name(class), name(own)),
        JavaValue::Static { class, name: own } => format!("static {} {}", name(class), name(own)),
        JavaValue::Made(made) => write_made(made),
        JavaValue::Function(function) => write_function(function),
        JavaValue::Ref(object) => format!("@{object}"),
        JavaValue::Object { class: Some(class) } => format!("object {}", name(class)),
        JavaValue::Object { class: None } => "object ?".into(),
    }
}

/// `new shop.Fraction(int a, int b) {1, 2}`, `new shop.Money of(long cents) {5}`
///
/// A collection has its elements alone: `new java.util.ArrayList {Integer(5)}`.
fn write_made(made: &Made) -> String {
    if let Some(items) = made.items() {
        let items: Vec<String> = items.iter().map(|item| write(item, None)).collect();
        return format!("new {} {{{}}}", name(&made.class), items.join(", "));
    }
    let (types, _) = types::parts(&made.descriptor);
    let parameter = |(at, of): (usize, &Type)| match made.parameters.get(at) {
        Some(own) => format!("{} {}", types::write(of), name(own)),
        None => format!("{} p{at}", types::write(of)),
    };
    let parameters: Vec<String> = types.iter().enumerate().map(parameter).collect();
    let given = made.arguments.iter().enumerate().map(|(at, value)| write(value, types.get(at)));
    let given: Vec<String> = given.collect();
    let hidden = if made.hidden { "hidden " } else { "" };
    let throws = if made.throws { "throws " } else { "" };
    let void = if made.is_change() { "void " } else { "" };
    let method = if made.is_new() { String::new() } else { format!(" {}", name(&made.method)) };
    let parameters = parameters.join(", ");
    format!("new {hidden}{throws}{void}{}{method}({parameters}) {{{}}}", name(&made.class), given.join(", "))
}

/// The same, read; `new` is taken.
fn read_made(line: &mut Line<'_>, depth: usize) -> Result<JavaValue, Flaw> {
    let (hidden, throws) = (line.takes_word("hidden"), line.takes_word("throws"));
    let is_void = line.takes_word("void");
    let class = line.name("a class")?;
    if line.rest().starts_with('{') {
        let items = items(line, &Type::Class("java/lang/Object".into()), depth + 1)?;
        return Ok(JavaValue::Made(Box::new(Made::collection(&class, items))));
    }
    let method = match line.rest().starts_with('(') {
        true => "<init>".to_string(),
        false => line.name("the name of a method")?,
    };
    let (mut types, mut parameters) = (Vec::new(), Vec::new());
    line.need("(")?;
    while !line.takes(")") {
        if !types.is_empty() && !line.takes(",") {
            return Err(line.expected("\",\" or \")\""));
        }
        types.push(types::read(line, "a type")?);
        parameters.push(line.name("the name of a parameter")?);
    }
    let mut arguments = Vec::with_capacity(types.len());
    line.need("{")?;
    for (at, of) in types.iter().enumerate() {
        if at > 0 {
            line.need(",")?;
        }
        arguments.push(read_at(line, Some(of), depth + 1)?);
    }
    line.need("}")?;
    let result = (method != "<init>" && !is_void).then(|| Type::Class(class.replace('.', "/").into()));
    let descriptor = types::descriptor(&types, result.as_ref());
    Ok(JavaValue::Made(Box::new(Made { class, method, descriptor, hidden, throws, parameters, arguments })))
}

/// `lambda shop.Filter keeps(int, int) boolean {(5, 6) true, again (5, 6) true}`; an object of an interface
/// with several methods is `answers shop.Stock {price(int) long (5) 7, again price(int) long (5) 7}`.
fn write_function(function: &Function) -> String {
    let hidden = if function.hidden { "hidden " } else { "" };
    let own = types::parts(&function.descriptor);
    let calls: Vec<String> = function.calls.iter().map(|call| write_call(call, &own)).collect();
    let (interface, calls) = (name(&function.interface), calls.join(", "));
    match function.has_several() {
        true => format!("answers {hidden}{interface} {{{calls}}}"),
        false => {
            let signature = write_signature(&function.method, &own);
            format!("lambda {hidden}{interface} {signature} {{{calls}}}")
        }
    }
}

/// The types of a method's parameters, and of its result.
type Parts = (Vec<Type>, Option<Type>);

fn write_signature(method: &str, (types, result): &Parts) -> String {
    let parameters: Vec<String> = types.iter().map(types::write).collect();
    let result = result.as_ref().map_or("void".into(), types::write);
    format!("{}({}) {result}", name(method), parameters.join(", "))
}

/// A call, of a method with these types if it does not name one.
fn write_call(call: &Answer, own: &Parts) -> String {
    let named = call.method.as_deref().and_then(|method| Some(method.split_at(method.find('(')?)));
    let parts = named.map(|(_, descriptor)| types::parts(descriptor));
    let signature =
        named.zip(parts.as_ref()).map(|((method, _), parts)| write_signature(method, parts) + " ");
    let (types, result) = parts.as_ref().unwrap_or(own);
    let arguments = call.arguments.iter().enumerate().map(|(at, value)| write(value, types.get(at)));
    let arguments: Vec<String> = arguments.collect();
    let again = if call.again { "again " } else { "" };
    let signature = signature.unwrap_or_default();
    format!("{again}{signature}({}) {}", arguments.join(", "), write(&call.answer, result.as_ref()))
}

/// The same, read; `lambda` or `answers` is taken.
fn read_function(line: &mut Line<'_>, has_several: bool, depth: usize) -> Result<JavaValue, Flaw> {
    let hidden = line.takes_word("hidden");
    let interface = line.name("an interface")?;
    let (method, own) = match has_several {
        true => (String::new(), (Vec::new(), None)),
        false => read_signature(line)?,
    };
    let mut calls = Vec::new();
    line.need("{")?;
    while !line.takes("}") {
        if !calls.is_empty() {
            line.need(",")?;
        }
        calls.push(read_call(line, &own, has_several, depth)?);
    }
    let descriptor = if has_several { String::new() } else { types::descriptor(&own.0, own.1.as_ref()) };
    Ok(JavaValue::Function(Box::new(Function { interface, method, descriptor, hidden, calls })))
}

/// `keeps(int, int) boolean`
fn read_signature(line: &mut Line<'_>) -> Result<(String, Parts), Flaw> {
    let method = line.name("the name of a method")?;
    let mut types = Vec::new();
    line.need("(")?;
    while !line.takes(")") {
        if !types.is_empty() && !line.takes(",") {
            return Err(line.expected("\",\" or \")\""));
        }
        types.push(types::read(line, "a type")?);
    }
    let result = if line.takes_word("void") { None } else { Some(types::read(line, "a type")?) };
    Ok((method, (types, result)))
}

fn read_call(line: &mut Line<'_>, own: &Parts, is_named: bool, depth: usize) -> Result<Answer, Flaw> {
    let again = line.takes_word("again");
    let named = if is_named { Some(read_signature(line)?) } else { None };
    let (types, result) = named.as_ref().map_or(own, |(_, parts)| parts);
    let mut arguments = Vec::with_capacity(types.len());
    line.need("(")?;
    for (at, of) in types.iter().enumerate() {
        if at > 0 {
            line.need(",")?;
        }
        arguments.push(read_at(line, Some(of), depth + 1)?);
    }
    line.need(")")?;
    let answer = read_at(line, result.as_ref(), depth + 1)?;
    let signature =
        |(name, parts): &(String, Parts)| format!("{name}{}", types::descriptor(&parts.0, parts.1.as_ref()));
    let method = named.as_ref().map(signature);
    Ok(Answer { method, arguments, answer, again })
}

/// A number of type `of`, in a place that may have a type.
fn number(text: String, of: &Type, place: Option<&Type>) -> String {
    // Only places of primitive types give theirs to what stands there.
    let place = place.filter(|place| !place.is_reference());
    if place == Some(of) || (place.is_none() && matches!(of, Type::Int | Type::Double)) {
        return text;
    }
    let is_finite = text.starts_with(|c: char| c == '-' || c.is_ascii_digit()) && !text.ends_with('y');
    match of {
        Type::Long => format!("{text}L"),
        Type::Float if is_finite => format!("{text}f"),
        of => format!("({}) {text}", of.to_java()),
    }
}

fn float(value: f32) -> String {
    match value {
        f32::INFINITY => "Infinity".into(),
        f32::NEG_INFINITY => "-Infinity".into(),
        value if value.to_bits() == 0x7fc0_0000 => "NaN".into(),
        value if value.is_nan() => format!("NaN({:08x})", value.to_bits()),
        value => format!("{value:?}"),
    }
}

fn double(value: f64) -> String {
    match value {
        f64::INFINITY => "Infinity".into(),
        f64::NEG_INFINITY => "-Infinity".into(),
        value if value.to_bits() == 0x7ff8_0000_0000_0000 => "NaN".into(),
        value if value.is_nan() => format!("NaN({:016x})", value.to_bits()),
        value => format!("{value:?}"),
    }
}

/// The simple name of the class of boxes of a primitive value, and its type.
fn box_of(value: &JavaValue) -> Option<(&'static str, Type)> {
    Some(match value {
        JavaValue::Boolean(_) => ("Boolean", Type::Boolean),
        JavaValue::Byte(_) => ("Byte", Type::Byte),
        JavaValue::Char(_) => ("Character", Type::Char),
        JavaValue::Short(_) => ("Short", Type::Short),
        JavaValue::Int(_) => ("Integer", Type::Int),
        JavaValue::Long(_) => ("Long", Type::Long),
        JavaValue::Float(_) => ("Float", Type::Float),
        JavaValue::Double(_) => ("Double", Type::Double),
        _ => return None,
    })
}

fn type_of_box(class: &str) -> Option<Type> {
    Some(match class {
        "Boolean" => Type::Boolean,
        "Byte" => Type::Byte,
        "Character" => Type::Char,
        "Short" => Type::Short,
        "Integer" => Type::Int,
        "Long" => Type::Long,
        "Float" => Type::Float,
        "Double" => Type::Double,
        _ => return None,
    })
}

/// A value in a place of this type.
pub(super) fn read(line: &mut Line<'_>, place: Option<&Type>) -> Result<JavaValue, Flaw> {
    read_at(line, place, 0)
}

fn read_at(line: &mut Line<'_>, place: Option<&Type>, depth: usize) -> Result<JavaValue, Flaw> {
    if depth > DEEPEST {
        return Err(line.flaw(format!("arrays that are nested deeper than {DEEPEST}")));
    }
    match line.rest().chars().next() {
        Some('"') if !is_quoted_type(line) => Ok(JavaValue::String(line.quoted('"')?)),
        Some('\'') => match line.quoted('\'')?[..] {
            [unit] => Ok(JavaValue::Char(unit)),
            _ => Err(line.flaw("one character, a UTF-16 unit, is expected between single quotes")),
        },
        Some('@') => {
            line.takes("@");
            Ok(JavaValue::Ref(line.count("the number of an object")?))
        }
        Some('{') => match place {
            Some(Type::Array(element)) => array(line, element, depth),
            _ => Err(line.expected("a value, an array with its type before it")),
        },
        Some('(') => {
            line.takes("(");
            let of = types::read(line, "a primitive type")?;
            line.need(")")?;
            numeric(line, Some(&of))
        }
        Some(c) if c == '-' || c.is_ascii_digit() => numeric(line, place),
        _ => read_word(line, place, depth),
    }
}

/// Whether quotes hold the name of a class with an array of it behind, and no string.
fn is_quoted_type(line: &Line<'_>) -> bool {
    let mut ahead = line.clone();
    ahead.quoted('"').is_ok() && ahead.rest().starts_with('[')
}

fn read_word(line: &mut Line<'_>, place: Option<&Type>, depth: usize) -> Result<JavaValue, Flaw> {
    let word = line.peek();
    if line.rest()[word.len()..].starts_with('(')
        && let Some(of) = type_of_box(word)
    {
        line.takes_word(word);
        line.need("(")?;
        let inner = read_at(line, Some(&of), depth + 1)?;
        line.need(")")?;
        return match box_of(&inner) {
            Some((class, _)) if class == word => Ok(JavaValue::Boxed(Box::new(inner))),
            _ => Err(line.flaw(format!("expected a value of type {} in {word}(...)", of.to_java()))),
        };
    }
    match word {
        "true" | "false" => {
            line.takes_word(word);
            Ok(JavaValue::Boolean(word == "true"))
        }
        "null" => {
            line.takes_word(word);
            Ok(JavaValue::Null)
        }
        "NaN" | "Infinity" => numeric(line, place),
        "enum" | "static" => {
            line.takes_word(word);
            let class = line.name("a class")?;
            let name = line.name("a name in that class")?;
            Ok(match word {
                "enum" => JavaValue::Enum { class, name },
                _ => JavaValue::Static { class, name },
            })
        }
        "new" => {
            line.takes_word(word);
            read_made(line, depth)
        }
        "lambda" | "answers" => {
            line.takes_word(word);
            read_function(line, word == "answers", depth)
        }
        "object" => {
            line.takes_word(word);
            let class = if line.takes("?") { None } else { Some(line.name("a class or \"?\"")?) };
            Ok(JavaValue::Object { class })
        }
        _ => match types::read(line, "a value")? {
            Type::Array(element) => array(line, &element, depth),
            other => Err(line.flaw(format!("\"{}\" is no value", types::write(&other)))),
        },
    }
}

/// The elements of an array, between braces.
fn array(line: &mut Line<'_>, element: &Type, depth: usize) -> Result<JavaValue, Flaw> {
    let items = items(line, element, depth + 1)?;
    Ok(JavaValue::Array { element: element.clone(), items })
}

/// Values of one type between braces.
pub(super) fn items(line: &mut Line<'_>, element: &Type, depth: usize) -> Result<Vec<JavaValue>, Flaw> {
    line.need("{")?;
    let mut items = Vec::new();
    if line.takes("}") {
        return Ok(items);
    }
    loop {
        items.push(read_at(line, Some(element), depth)?);
        if line.takes("}") {
            return Ok(items);
        }
        if !line.takes(",") {
            return Err(line.expected("\",\" or \"}\""));
        }
    }
}

/// A number; its type is that of the place unless it says another.
fn numeric(line: &mut Line<'_>, place: Option<&Type>) -> Result<JavaValue, Flaw> {
    let (mut text, of) = literal(line, place)?;
    let flaw = |text: &str| line.flaw(format!("\"{text}\" is no {}", of.to_java()));
    if let Some(bits) = text.strip_prefix("NaN(").and_then(|bits| bits.strip_suffix(')')) {
        let bits = u64::from_str_radix(bits, 16).map_err(|_| flaw(&text))?;
        return match of {
            Type::Float if u32::try_from(bits).is_ok_and(|bits| f32::from_bits(bits).is_nan()) => {
                Ok(JavaValue::Float(f32::from_bits(bits as u32)))
            }
            Type::Double if f64::from_bits(bits).is_nan() => Ok(JavaValue::Double(f64::from_bits(bits))),
            _ => Err(flaw(&text)),
        };
    }
    match text.as_str() {
        // Rust's own sign and bits of NaN are not Java's.
        "NaN" if of == Type::Float => return Ok(JavaValue::Float(f32::from_bits(0x7fc0_0000))),
        "NaN" if of == Type::Double => return Ok(JavaValue::Double(f64::from_bits(0x7ff8_0000_0000_0000))),
        "Infinity" | "-Infinity" => text = text.replace("Infinity", "inf"),
        _ => {}
    }
    let parsed = match of {
        Type::Byte => text.parse().ok().map(JavaValue::Byte),
        Type::Short => text.parse().ok().map(JavaValue::Short),
        Type::Int => text.parse().ok().map(JavaValue::Int),
        Type::Long => text.parse().ok().map(JavaValue::Long),
        Type::Float => text.parse().ok().map(JavaValue::Float),
        Type::Double => text.parse().ok().map(JavaValue::Double),
        // A character may be given by its number.
        Type::Char => text.parse().ok().map(JavaValue::Char),
        _ => None,
    };
    parsed.ok_or_else(|| flaw(&text))
}

/// The text of a number and its type.
fn literal(line: &mut Line<'_>, place: Option<&Type>) -> Result<(String, Type), Flaw> {
    let place = place.filter(|place| !place.is_reference());
    let sign = if line.takes("-") { "-" } else { "" };
    if line.takes_word("Infinity") {
        return Ok((format!("{sign}Infinity"), place.cloned().unwrap_or(Type::Double)));
    }
    if line.takes_word("NaN") {
        let bits = if line.takes("(") { format!("({}", line.until(|c| c == ')')) } else { String::new() };
        if !bits.is_empty() {
            line.need(")")?;
        }
        let text = if bits.is_empty() { "NaN".into() } else { format!("NaN{bits})") };
        return Ok((text, place.cloned().unwrap_or(Type::Double)));
    }
    let start = line.rest();
    if !start.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(line.expected("a number"));
    }
    let mut before = ' ';
    let ends = |c: char| {
        let is_sign = "+-".contains(c) && "eE".contains(before);
        before = c;
        !(c.is_ascii_alphanumeric() || c == '.' || is_sign)
    };
    let text = &start[..start.find(ends).unwrap_or(start.len())];
    let _ = line.takes(text);
    let (digits, of) = match text.as_bytes().last() {
        Some(b'L' | b'l') => (&text[..text.len() - 1], Type::Long),
        Some(b'f' | b'F') => (&text[..text.len() - 1], Type::Float),
        _ => match place {
            Some(place) => (text, place.clone()),
            None if text.contains(['.', 'e', 'E']) => (text, Type::Double),
            None => (text, Type::Int),
        },
    };
    // Rust reads more than Java does.
    match digits.chars().all(|c| c.is_ascii_digit() || ".eE+-".contains(c)) {
        true => Ok((format!("{sign}{digits}"), of)),
        false => Err(line.flaw(format!("\"{sign}{text}\" is no number"))),
    }
}
