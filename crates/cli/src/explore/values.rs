//! Java values as people, shells and JSON want them.

use evergreen_java::java_value;
use evergreen_java::jvm::{InputObject, InputValue};
use evergreen_java::replay::JavaValue;
pub use evergreen_java::source_text as java;
use serde_json::{Value, json};

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
