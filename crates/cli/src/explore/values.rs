//! Java values as people, shells and JSON want them.

use evergreen_java::java_value;
use evergreen_java::jvm::{InputObject, InputValue};
use evergreen_java::replay::JavaValue;
use serde_json::{Value, json};

/// As Java source has it, and as `--concrete` takes it.
pub fn java(value: &JavaValue) -> String {
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
            let items: Vec<String> = items.iter().map(java).collect();
            format!("{{{}}}", items.join(", "))
        }
        JavaValue::Boxed(inner) => java(inner),
        JavaValue::Enum { class, name } | JavaValue::Static { class, name } => {
            format!("{}.{name}", class.rsplit(['.', '$']).next().unwrap_or(class))
        }
        JavaValue::Object { class: Some(class) } => format!("a {class}"),
        JavaValue::Object { class: None } | JavaValue::Ref(_) => "an object".into(),
    }
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

/// Whether a value is an object among others, not a value that one could write down.
pub fn is_object(value: &JavaValue) -> bool {
    matches!(value, JavaValue::Object { .. } | JavaValue::Ref(_))
}

/// As JSON has it, where JSON can represent it.
pub fn json(value: &JavaValue) -> Value {
    match value {
        JavaValue::Boolean(b) => json!(b),
        JavaValue::Byte(n) => json!(n),
        JavaValue::Short(n) => json!(n),
        JavaValue::Int(n) => json!(n),
        JavaValue::Long(n) => json!(n),
        JavaValue::Float(n) if n.is_finite() => json!(n),
        JavaValue::Double(n) if n.is_finite() => json!(n),
        JavaValue::Char(unit) => json!(String::from_utf16_lossy(&[*unit])),
        JavaValue::Null => Value::Null,
        JavaValue::String(units) => json!(String::from_utf16_lossy(units)),
        JavaValue::Array { items, .. } => Value::Array(items.iter().map(json).collect()),
        JavaValue::Boxed(inner) => json(inner),
        other => json!(java(other)),
    }
}

/// The objects of an input: a field that holds one of them has its name.
pub fn objects(all: &[InputObject]) -> Vec<Value> {
    let shown = |object: &InputObject| {
        let fields = object.fields.iter().map(|(_, name, value)| {
            let value = match value {
                InputValue::Object(place) => json!({ "object": all.get(*place).map(|object| &*object.name) }),
                InputValue::Plain(value) => json(&java_value(value)),
            };
            (name.to_string(), value)
        });
        let fields: serde_json::Map<String, Value> = fields.collect();
        json!({ "name": &*object.name, "class": object.class.replace('/', "."), "fields": fields })
    };
    all.iter().map(shown).collect()
}

/// The objects of an input in a line: `this {root: this.root}, this.root {left: null}`.
pub fn shown_objects(all: &[InputObject]) -> String {
    let shown = |object: &InputObject| {
        let fields: Vec<String> = object
            .fields
            .iter()
            .map(|(_, name, value)| match value {
                InputValue::Object(place) => {
                    format!("{name}: {}", all.get(*place).map_or("?", |object| &object.name))
                }
                InputValue::Plain(value) => format!("{name}: {}", java(&java_value(value))),
            })
            .collect();
        format!("{} {{{}}}", object.name, fields.join(", "))
    };
    all.iter().map(shown).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use evergreen_java::classfile::Type;

    #[test]
    fn values_can_be_typed_again() {
        let array =
            JavaValue::Array { element: Type::Int, items: vec![JavaValue::Int(-1), JavaValue::Int(2)] };
        assert_eq!(java(&array), "{-1, 2}");
        assert_eq!(java(&JavaValue::string("a\"b\n\u{1}")), "\"a\\\"b\\n\\u0001\"");
        assert_eq!(java(&JavaValue::String(vec![0xd800])), "\"\\ud800\"");
        assert_eq!(java(&JavaValue::Char(u16::from(b'\''))), "'\\''");
        assert_eq!((java(&JavaValue::Long(3)), java(&JavaValue::Double(0.1))), ("3L".into(), "0.1".into()));
        assert_eq!(java(&JavaValue::Float(f32::NAN)), "NaN");
    }
}
