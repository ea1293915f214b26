//! A test case: inputs that lead down one path, and the expected ending.

use crate::{Build, GraphBody, GraphObject, JavaValue};
use evergreen_classfile::Type;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The method that a test case calls. All paths of a method share one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// `Class.getName`: dots between packages, `$` before a nested class.
    pub class: String,
    /// Name of the method; `<init>` is a constructor.
    pub method: String,
    /// Its descriptor: `(I[J)Z`.
    pub descriptor: String,
    /// Its receiver.
    pub receiver: Receiver,
    /// Whether Java source in the same package cannot name it: then the JUnit source calls it by reflection.
    pub hidden: bool,
    /// Names of its parameters, for variables in the source; may be empty.
    pub parameters: Vec<String>,
    /// Classes that its `throws` clause names.
    pub exceptions: Vec<String>,
}

/// The receiver of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receiver {
    /// Nothing: it is static, or a constructor.
    Static,
    /// A new object, made by the constructor without parameters.
    DefaultConstructor,
    /// The object that [`TestCase::receiver`] names.
    Given,
}

/// The message of an exception.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// Not known, or not to be compared (it holds an address, say).
    Unknown,
    /// `getMessage()` is null.
    Null,
    /// `getMessage()`, as UTF-16 units.
    Text(Vec<u16>),
}

impl Message {
    /// A text.
    pub fn text(text: &str) -> Message {
        Message::Text(text.encode_utf16().collect())
    }
}

/// How a call ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// It returns; `None` from a `void` method and a constructor.
    Returned(Option<JavaValue>),
    /// It throws.
    Threw {
        /// Class of the exception, as `Class.getName` has it.
        class: String,
        /// Its message.
        message: Message,
    },
    /// It ends the JVM with this status.
    Exited(i32),
}

impl Ending {
    /// Its ending in a few words that do not depend on line numbers: `returns 3`,
    /// `throws ArithmeticException`.
    pub fn title(&self) -> String {
        match self {
            Ending::Returned(None) => "returns".into(),
            Ending::Returned(Some(value)) => format!("returns {}", value.short()),
            Ending::Threw { class, .. } => {
                format!("throws {}", class.rsplit(['.', '$']).next().unwrap_or(class))
            }
            Ending::Exited(status) => format!("exits with {status}"),
        }
    }

    /// Whether `seen`, the JVM's ending, agrees with this expectation.
    pub fn admits(&self, seen: &Ending) -> bool {
        match (self, seen) {
            (Ending::Returned(Some(expected)), Ending::Returned(Some(seen))) => expected.admits(seen),
            (Ending::Threw { class, message }, Ending::Threw { class: other, message: seen }) => {
                class == other && (*message == Message::Unknown || message == seen)
            }
            (expected, seen) => expected == seen,
        }
    }
}

/// Inputs that lead down one path, and the expected ending.
#[derive(Clone, Debug, PartialEq)]
pub struct TestCase {
    /// The called method.
    pub target: Arc<Target>,
    /// The objects that [`JavaValue::Ref`] points to, in the receiver, the arguments,
    /// the draws and in each other.
    pub objects: Vec<GraphObject>,
    /// A sequence of public calls that makes the same objects; `None` if none is known.
    pub build: Option<Build>,
    /// The receiver, if it is [`Receiver::Given`].
    pub receiver: Option<JavaValue>,
    /// With what, one for each parameter.
    pub arguments: Vec<JavaValue>,
    /// Names and values of what the driver draws from `Sym`, in call order.
    pub draws: Vec<(String, JavaValue)>,
    /// How it ends.
    pub ending: Ending,
    /// Its output on `System.out`, see [`printed`]; `None` if that is not known.
    pub output: Option<String>,
    /// Its ending and place: `returns 3 at line 14`.
    pub title: String,
    /// The arms that it takes, in order, in classes with probes; `None` if that is not known. The numbers are
    /// those of [`Probes::arms`](crate::Probes::arms).
    pub arms: Option<Vec<u32>>,
}

impl TestCase {
    /// The classes that it names, by internal names: those of the call, of its inputs and of their fields.
    pub(crate) fn classes(&self) -> BTreeSet<String> {
        let mut classes = BTreeSet::from([self.target.class.replace('.', "/")]);
        let values =
            self.receiver.iter().chain(&self.arguments).chain(self.draws.iter().map(|(_, value)| value));
        values.for_each(|value| add_classes(value, &mut classes));
        for object in &self.objects {
            match &object.body {
                GraphBody::Fields(fields) => {
                    classes.insert(object.class.replace('.', "/"));
                    for field in fields {
                        classes.insert(field.owner.replace('.', "/"));
                        add_classes(&field.value, &mut classes);
                    }
                }
                GraphBody::Elements { element, items } => add_elements(element, items, &mut classes),
            }
        }
        classes
    }
}

fn add_classes(value: &JavaValue, classes: &mut BTreeSet<String>) {
    match value {
        JavaValue::Array { element, items } => add_elements(element, items, classes),
        JavaValue::Enum { class, .. } | JavaValue::Static { class, .. } => {
            classes.insert(class.replace('.', "/"));
        }
        JavaValue::Made(made) => {
            classes.insert(made.class.replace('.', "/"));
            made.arguments.iter().for_each(|argument| add_classes(argument, classes));
        }
        JavaValue::Function(function) => {
            classes.insert(function.interface.replace('.', "/"));
            function.calls.iter().for_each(|call| add_classes(&call.answer, classes));
        }
        _ => {}
    }
}

fn add_elements(element: &Type, items: &[JavaValue], classes: &mut BTreeSet<String>) {
    let text = element.to_string();
    let class = text.trim_start_matches('[').strip_prefix('L').and_then(|text| text.strip_suffix(';'));
    classes.extend(class.map(str::to_string));
    items.iter().for_each(|item| add_classes(item, classes));
}

/// Text as `System.out` writes it, in UTF-8: a lone surrogate is a question mark.
pub fn printed(units: &[u16]) -> String {
    char::decode_utf16(units.iter().copied()).map(|unit| unit.unwrap_or('?')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_surrogates_are_printed_as_question_marks() {
        assert_eq!(printed(&[65, 0xd83d, 0xde00, 0xd800, 66, 0xdc00]), "A\u{1f600}?B?");
    }
}
