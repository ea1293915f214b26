//! The objects of a path's input as a test case has them.

use super::case::short;
use super::ending::java_value;
use evergreen_classfile::Type;
use evergreen_jvm::{InputObject, InputValue, State, Value};
use evergreen_replay::{GraphBody, GraphField, GraphObject, JavaValue};

/// The name of the object that a method is called on.
pub(crate) const RECEIVER: &str = "this";

/// All objects, by their places; `None` if a test cannot make one of them.
pub(crate) fn objects(input: &[InputObject]) -> Option<Vec<GraphObject>> {
    input.iter().map(object).collect()
}

fn object(object: &InputObject) -> Option<GraphObject> {
    let value = |value: &InputValue| {
        let value = match value {
            InputValue::Object(place) => JavaValue::Ref(*place),
            InputValue::Plain(plain) => java_value(plain),
        };
        can_be_made(&value).then_some(value)
    };
    let body = if let Some(element) = object.class.strip_prefix('[') {
        let items = object.fields.iter().map(|(_, _, item)| value(item));
        GraphBody::Elements { element: Type::parse(element).ok()?, items: items.collect::<Option<_>>()? }
    } else {
        let fields = object.fields.iter().map(|(owner, name, held)| {
            Some(GraphField { owner: owner.replace('/', "."), name: name.to_string(), value: value(held)? })
        });
        GraphBody::Fields(fields.collect::<Option<_>>()?)
    };
    Some(GraphObject { class: object.class.replace('/', "."), name: object.name.to_string(), body })
}

/// Objects in a line, for messages: `this = a.List { first: this.first, size: 1 }`.
pub(crate) fn shown(input: &[InputObject]) -> String {
    let value = |value: &InputValue| match value {
        InputValue::Object(place) => input.get(*place).map_or("?".into(), |to| to.name.to_string()),
        InputValue::Plain(plain) => short(&java_value(plain)),
    };
    let object = |object: &InputObject| {
        let fields = object.fields.iter().map(|(_, name, held)| format!("{name}: {}", value(held)));
        let fields: Vec<String> = fields.collect();
        format!("{} = {} {{ {} }}", object.name, object.class.replace('/', "."), fields.join(", "))
    };
    input.iter().map(object).collect::<Vec<_>>().join("; ")
}

/// Whether a test can make a value.
pub(crate) fn can_be_made(value: &JavaValue) -> bool {
    match value {
        JavaValue::Object { .. } => false,
        JavaValue::Array { items, .. } => items.iter().all(can_be_made),
        JavaValue::Made(made) => made.arguments.iter().all(can_be_made),
        JavaValue::Function(function) => function.calls.iter().all(|call| can_be_made(&call.answer)),
        _ => true,
    }
}

/// What the method is called on, if that is an object of the input.
pub(crate) fn receiver(input: &[InputObject]) -> Option<JavaValue> {
    input.iter().position(|object| &*object.name == RECEIVER).map(JavaValue::Ref)
}

/// A parameter that is an object of the input.
pub(crate) fn parameter(state: &State, index: usize) -> Option<JavaValue> {
    let given = state.parameters.get(index)?;
    match given.value {
        Value::Ref(object) => state.lazy().place(object).map(JavaValue::Ref),
        _ => None,
    }
}
