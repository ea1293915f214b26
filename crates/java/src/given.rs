//! Inputs of a Java method from JSON: numbers, truth values, texts and arrays of them.

use crate::MethodRef;
use evergreen_classfile::Type;
use evergreen_replay::{Ending, JavaValue, Target, TestCase};
use serde_json::{Map, Value};
use std::sync::Arc;

/// What else can make inputs, for messages.
const HELP: &str = "help: JSON has numbers, truth values, texts, null and arrays of them; objects are in the \
    suites";

/// A test of a method: parameters by their names, and what else there is as draws.
pub(crate) fn case(
    method: &MethodRef,
    target: &Arc<Target>,
    inputs: &Map<String, Value>,
) -> Result<TestCase, String> {
    let mut arguments = Vec::new();
    for (name, of) in &method.parameters {
        let Some(given) = inputs.get(&**name) else {
            let all: Vec<&str> = method.parameters.iter().map(|(name, _)| &**name).collect();
            let all = all.join(", ");
            return Err(format!("no value for \"{name}\"\nhelp: the parameters of {method} are {all}"));
        };
        arguments.push(value(given, of).map_err(|what| format!("input \"{name}\": {what}"))?);
    }
    let is_drawn = |name: &str| method.parameters.iter().all(|(own, _)| **own != *name);
    let mut draws = Vec::new();
    for (name, given) in inputs.iter().filter(|(name, _)| is_drawn(name)) {
        draws.push((name.clone(), drawn(given).map_err(|what| format!("input \"{name}\": {what}"))?));
    }
    Ok(TestCase {
        target: target.clone(),
        objects: Vec::new(),
        build: None,
        receiver: None,
        arguments,
        draws,
        ending: Ending::Returned(None),
        output: None,
        title: String::new(),
        arms: None,
    })
}

/// An integer of a type.
fn integer<T: TryFrom<i64>>(given: &Value, of: &str) -> Result<T, String> {
    let n = given.as_i64().ok_or_else(|| format!("{given} is no {of}"))?;
    T::try_from(n).map_err(|_| format!("{n} is outside of {of}"))
}

/// A value of a type.
fn value(given: &Value, of: &Type) -> Result<JavaValue, String> {
    let java = of.to_java();
    Ok(match (of, given) {
        (Type::Boolean, Value::Bool(is)) => JavaValue::Boolean(*is),
        (Type::Byte, _) => JavaValue::Byte(integer(given, &java)?),
        (Type::Short, _) => JavaValue::Short(integer(given, &java)?),
        (Type::Int, _) => JavaValue::Int(integer(given, &java)?),
        (Type::Long, _) => JavaValue::Long(integer(given, &java)?),
        (Type::Char, Value::String(text)) => match text.encode_utf16().collect::<Vec<u16>>()[..] {
            [unit] => JavaValue::Char(unit),
            _ => return Err(format!("{given} is not one char")),
        },
        (Type::Char, _) => JavaValue::Char(integer(given, &java)?),
        (Type::Float, Value::Number(n)) => JavaValue::Float(n.as_f64().unwrap_or_default() as f32),
        (Type::Double, Value::Number(n)) => JavaValue::Double(n.as_f64().unwrap_or_default()),
        (Type::Array(_) | Type::Class(_), Value::Null) => JavaValue::Null,
        (Type::Array(element), Value::Array(items)) => {
            let items = items.iter().map(|item| value(item, element)).collect::<Result<_, _>>()?;
            JavaValue::Array { element: (**element).clone(), items }
        }
        (Type::Class(class), Value::String(text)) if is_text(class) => JavaValue::string(text),
        (Type::Class(class), _) if boxed(class).is_some() => {
            let of = boxed(class).unwrap_or(Type::Int);
            JavaValue::Boxed(Box::new(value(given, &of)?))
        }
        (Type::Class(_), _) => return Err(format!("{given} cannot be a {java}\n{HELP}")),
        _ => return Err(format!("{given} is no {java}")),
    })
}

fn is_text(class: &str) -> bool {
    ["java/lang/String", "java/lang/CharSequence", "java/lang/Object"].contains(&class)
}

fn boxed(class: &str) -> Option<Type> {
    crate::inputs::boxed(&Type::Class(class.into()))
}

/// A value whose type the program says when it draws it.
fn drawn(given: &Value) -> Result<JavaValue, String> {
    Ok(match given {
        Value::Null => JavaValue::Null,
        Value::Bool(is) => JavaValue::Boolean(*is),
        Value::String(text) => JavaValue::string(text),
        Value::Number(n) => match n.as_i64() {
            Some(n) => i32::try_from(n).map_or(JavaValue::Long(n), JavaValue::Int),
            None => JavaValue::Double(n.as_f64().unwrap_or_default()),
        },
        Value::Array(_) => value(given, &Type::Array(Box::new(Type::Int)))?,
        Value::Object(_) => return Err(format!("{given} is an object\n{HELP}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_have_the_types_of_their_parameters() {
        let of = |given: Value, of: &str| value(&given, &Type::parse(of).expect("a type"));
        assert_eq!(of(json!(300), "I"), Ok(JavaValue::Int(300)));
        assert_eq!(of(json!(300), "B"), Err("300 is outside of byte".into()));
        assert_eq!(of(json!(1.5), "I"), Err("1.5 is no int".into()));
        assert_eq!(of(json!("x"), "C"), Ok(JavaValue::Char(120)));
        assert_eq!(of(json!(1), "Z"), Err("1 is no boolean".into()));
        let bytes = JavaValue::Array { element: Type::Byte, items: vec![JavaValue::Byte(-1)] };
        assert_eq!(of(json!([-1]), "[B"), Ok(bytes));
        let refused = of(json!({ "key": 1 }), "Lshop/Cart;").expect_err("an object");
        assert!(refused.contains("suite"), "{refused}");
    }
}
