//! The objects of a path's input as a test case has them.

use super::ending::java_value;
use evergreen_classfile::Type;
use evergreen_jvm::{InputObject, InputValue, State, Value};
use evergreen_replay::{GraphBody, GraphField, GraphObject, JavaValue};

/// The name of the object that a method is called on.
const RECEIVER: &str = "this";

/// All objects, by their places; `None` if one has something that a test cannot make.
pub(super) fn objects(input: &[InputObject]) -> Option<Vec<GraphObject>> {
    let object = |object: &InputObject| {
        if let Some(element) = object.class.strip_prefix('[') {
            return array(object, element);
        }
        let fields = object.fields.iter().map(|(owner, name, value)| {
            let value = match value {
                InputValue::Object(place) => JavaValue::Ref(*place),
                InputValue::Plain(plain) => java_value(plain),
            };
            let field = GraphField { owner: owner.replace('/', "."), name: name.to_string(), value };
            can_be_made(&field.value).then_some(field)
        });
        Some(GraphObject {
            class: object.class.replace('/', "."),
            name: object.name.to_string(),
            body: GraphBody::Fields(fields.collect::<Option<_>>()?),
        })
    };
    input.iter().map(object).collect()
}

/// An array of references: its elements are told as fields, in order.
fn array(object: &InputObject, element: &str) -> Option<GraphObject> {
    let items = object.fields.iter().map(|(_, _, value)| match value {
        InputValue::Object(place) => Some(JavaValue::Ref(*place)),
        InputValue::Plain(plain) => Some(java_value(plain)).filter(can_be_made),
    });
    let items = items.collect::<Option<_>>()?;
    let element = Type::parse(element).ok()?;
    let (class, name) = (object.class.replace('/', "."), object.name.to_string());
    Some(GraphObject { class, name, body: GraphBody::Elements { element, items } })
}

/// Whether a test can make a value.
pub(super) fn can_be_made(value: &JavaValue) -> bool {
    match value {
        JavaValue::Object { .. } => false,
        JavaValue::Array { items, .. } => items.iter().all(can_be_made),
        _ => true,
    }
}

/// What the method is called on, if that is an object of the input.
pub(super) fn receiver(input: &[InputObject]) -> Option<JavaValue> {
    input.iter().position(|object| &*object.name == RECEIVER).map(JavaValue::Ref)
}

/// A parameter that is an object of the input.
pub(super) fn parameter(state: &State, index: usize) -> Option<JavaValue> {
    let given = state.parameters.get(index)?;
    match given.value {
        Value::Ref(object) => state.lazy().place(object).map(JavaValue::Ref),
        _ => None,
    }
}
