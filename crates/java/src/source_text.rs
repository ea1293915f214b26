//! Java values as people and shells read them.

use evergreen_replay::{Answer, Function, JavaValue};

/// As Java source has it, and as `--concrete` takes it.
pub fn source_text(value: &JavaValue) -> String {
    match value {
        JavaValue::Boolean(b) => b.to_string(),
        JavaValue::Byte(n) => n.to_string(),
        JavaValue::Short(n) => n.to_string(),
        JavaValue::Int(n) => n.to_string(),
        JavaValue::Long(n) => format!("{n}L"),
        JavaValue::Float(n) => float(f64::from(*n), &format!("{n:?}"), "f"),
        JavaValue::Double(n) => float(*n, &format!("{n:?}"), ""),
        JavaValue::Char(unit) => format!("'{}'", escaped(&[*unit], '\'')),
        JavaValue::Null => "null".into(),
        JavaValue::String(units) => format!("\"{}\"", escaped(units, '"')),
        JavaValue::Array { items, .. } => {
            let items: Vec<String> = items.iter().map(source_text).collect();
            format!("{{{}}}", items.join(", "))
        }
        JavaValue::Boxed(inner) => source_text(inner),
        JavaValue::Enum { class, name } | JavaValue::Static { class, name } => {
            format!("{}.{name}", class.rsplit(['.', '$']).next().unwrap_or(class))
        }
        JavaValue::Made(made) if made.entries().is_some() => {
            let entry = |two: &[JavaValue]| two.iter().map(source_text).collect::<Vec<_>>().join("=");
            let all: Vec<String> = made.entries().unwrap_or_default().chunks(2).map(entry).collect();
            format!("{{{}}}", all.join(", "))
        }
        JavaValue::Made(made) if made.iterated().is_some() => {
            made.iterated()
                .map(|list| source_text(&JavaValue::Made(Box::new(list.clone()))))
                .unwrap_or_default()
                + ".iterator()"
        }
        JavaValue::Made(made) if made.items().is_some() => {
            let items: Vec<String> = made.items().unwrap_or_default().iter().map(source_text).collect();
            format!("[{}]", items.join(", "))
        }
        JavaValue::Made(made) => {
            let simple = made.class.rsplit(['.', '$']).next().unwrap_or(&made.class);
            let call =
                if made.is_new() { format!("new {simple}") } else { format!("{simple}.{}", made.method) };
            let (call, arguments) = match made.on() {
                Some((on, arguments)) => (format!("{}.{}", source_text(on), made.method), arguments),
                None => (call, &made.arguments[..]),
            };
            let arguments: Vec<String> = arguments.iter().map(source_text).collect();
            format!("{call}({})", arguments.join(", "))
        }
        JavaValue::Function(function) => function_text(function),
        JavaValue::Object { class: Some(class) } => format!("a {class}"),
        JavaValue::Object { class: None } | JavaValue::Ref(_) => "an object".into(),
    }
}

/// `Predicate(5 -> true, 6 -> false)`, `Shop(price(5) -> 7, open() -> true)`: the answers to its calls.
fn function_text(function: &Function) -> String {
    let simple = function.interface.rsplit(['.', '$']).next().unwrap_or(&function.interface);
    let answer = |call: &Answer| {
        let arguments: Vec<String> = call.arguments.iter().map(source_text).collect();
        let name = call.method.as_deref().and_then(|method| method.split('(').next());
        let arguments = match (name, &arguments[..]) {
            (Some(name), all) => format!("{name}({})", all.join(", ")),
            (None, [one]) => one.clone(),
            (None, all) => format!("({})", all.join(", ")),
        };
        format!("{arguments} -> {}", source_text(&call.answer))
    };
    let answers: Vec<String> = function.first_calls().map(answer).collect();
    if answers.is_empty() { format!("any {simple}") } else { format!("{simple}({})", answers.join(", ")) }
}

fn float(n: f64, digits: &str, suffix: &str) -> String {
    if n.is_nan() {
        "NaN".into()
    } else if n.is_infinite() {
        if n > 0.0 { "Infinity".into() } else { "-Infinity".into() }
    } else {
        format!("{digits}{suffix}")
    }
}

fn escaped(units: &[u16], quote: char) -> String {
    let mut out = String::new();
    for decoded in char::decode_utf16(units.iter().copied()) {
        match decoded {
            Ok('\n') => out.push_str("\\n"),
            Ok('\t') => out.push_str("\\t"),
            Ok('\r') => out.push_str("\\r"),
            Ok('\\') => out.push_str("\\\\"),
            Ok(c) if c == quote => out.extend(['\\', c]),
            Ok(c) if c.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            Ok(c) => out.push(c),
            Err(lone) => out.push_str(&format!("\\u{:04x}", lone.unpaired_surrogate())),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use evergreen_classfile::Type;

    #[test]
    fn values_can_be_typed_again() {
        let array =
            JavaValue::Array { element: Type::Int, items: vec![JavaValue::Int(-1), JavaValue::Int(2)] };
        assert_eq!(source_text(&array), "{-1, 2}");
        assert_eq!(source_text(&JavaValue::string("a\"b\n\u{1}")), "\"a\\\"b\\n\\u0001\"");
        assert_eq!(source_text(&JavaValue::String(vec![0xd800])), "\"\\ud800\"");
        assert_eq!(source_text(&JavaValue::Char(u16::from(b'\''))), "'\\''");
        assert_eq!(
            (source_text(&JavaValue::Long(3)), source_text(&JavaValue::Double(0.1))),
            ("3L".into(), "0.1".into())
        );
        assert_eq!(source_text(&JavaValue::Float(f32::NAN)), "NaN");
    }
}
