//! Values and objects of Java as JSON.

use crate::{java_value, source_text};
use evergreen_jvm::{InputObject, InputValue};
use evergreen_replay::JavaValue;
use serde_json::{Value, json};

/// A value as JSON has it, where JSON can represent it.
pub(crate) fn json(value: &JavaValue) -> Value {
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
        other => json!(source_text(other)),
    }
}

/// The objects of an input: a field that holds one of them has its name.
pub(crate) fn objects(all: &[InputObject]) -> Vec<Value> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{How, JavaPath, MethodRef, PathEnd, Place, Severity, Stop};
    use evergreen_jvm::Described;
    use evergreen_service::report::line::{line, write};

    fn place(line: Option<u32>) -> Place {
        Place {
            unit: "shop/Cart".into(),
            function: "add".into(),
            signature: "(I)V".into(),
            file: line.map(|_| "Cart.java".into()),
            line,
            offset: 7,
        }
    }

    fn end(how: How) -> PathEnd {
        let fields = vec![("Cart".into(), "next".into(), InputValue::Plain(Described::Null))];
        PathEnd {
            number: 41,
            position: vec![0, 1],
            decisions: Vec::new(),
            seeds: Vec::new(),
            how,
            inputs: vec![
                ("x\"y".into(), JavaValue::Int(-3)),
                ("a".into(), JavaValue::string("é\n")),
                ("a".into(), JavaValue::Long(5)),
            ],
            conditions: vec!["x < \"3\"".into()],
            stops: vec![Stop { place: place(Some(4)), arm: 1 }, Stop { place: place(None), arm: 0 }],
            depth: 2,
            steps: 77,
            output: "out\t".into(),
            case: None,
            sampled: false,
            likelihood: None,
            line: None,
            beyond: JavaPath {
                objects: vec![InputObject { name: "this".into(), class: "shop/Cart".into(), fields }],
                ..JavaPath::default()
            },
        }
    }

    fn method() -> MethodRef {
        MethodRef {
            class: "shop/Cart".into(),
            name: "add".into(),
            descriptor: "(I)V".into(),
            is_static: false,
            parameters: Vec::new(),
        }
    }

    fn written(end: &PathEnd) -> String {
        let mut text = Vec::new();
        write(&mut text, &method(), end).expect("memory takes it");
        String::from_utf8(text).expect("text")
    }

    /// Names in order, everything escaped, the number where it belongs: what a map that sorts would have
    /// written.
    #[test]
    fn a_line_is_what_a_map_would_write() {
        let hows = [
            How::Returned(Some(JavaValue::Double(0.5))),
            How::Returned(None),
            How::Threw {
                class: "A".into(),
                message: None,
                place: Some(place(Some(9))),
                severity: Severity::Declared,
            },
            How::Exited(3),
            How::Unsupported { what: "w".into(), place: None, help: "h".into() },
            How::Cut("depth"),
            How::Undecided { condition: "x * y > 1".into(), place: Some(place(None)) },
            How::Stuck(None),
        ];
        for how in hows {
            let mut end = end(how);
            let text = written(&end);
            let value: Value = serde_json::from_str(&text).expect("JSON");
            assert_eq!(text, format!("{value}\n"));
            let numbered = matches!(end.how, How::Returned(_) | How::Threw { .. } | How::Exited(_));
            assert_eq!(value["number"], if numbered { json!(41) } else { Value::Null });
            assert_eq!(value["inputs"], json!({ "a": 5, "x\"y": -3 }));
            assert_eq!(value["lines"][1], json!({ "arm": 0, "file": "shop/Cart", "line": null }));
            // The thread that found it may have written it before its number was known.
            end.line = Some(line(&method(), &PathEnd { number: 0, ..end.clone() }));
            end.conditions.clear();
            assert_eq!(written(&end), text);
        }
    }
}
