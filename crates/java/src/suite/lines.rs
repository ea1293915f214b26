//! The lines of one test: inputs, objects and the calls that build these; and its outcome.

use super::heading::parameter;
use super::{name, types, value};
use evergreen_classfile::Type;
use evergreen_replay::{
    Build, Ending, GraphBody, GraphField, GraphObject, JavaValue, Message, Target, TestCase,
};
use evergreen_suite::line::{quoted, text};

/// The line for unknown output.
const UNKNOWN_OUTPUT: &str = "prints ?";

/// The inputs of a test, under the heading of a method.
pub(super) fn inputs(case: &TestCase, section: &Target) -> Vec<String> {
    let (parameters, _) = types::parts(&section.descriptor);
    let mut lines = Vec::new();
    if let Some(receiver) = &case.receiver {
        lines.push(format!("this = {}", value::write(receiver, None)));
    }
    for (at, argument) in case.arguments.iter().enumerate() {
        let own = name(&parameter(section, at));
        lines.push(format!("{own} = {}", value::write(argument, parameters.get(at))));
    }
    for (own, drawn) in &case.draws {
        lines.push(format!("draw {} = {}", name(own), value::write(drawn, None)));
    }
    lines.extend(case.objects.iter().enumerate().map(|(at, object)| graph_object(at, object)));
    lines.extend(case.build.iter().flat_map(build));
    lines
}

/// The outcome of a test: how it ends, and what it prints if that is not empty or unknown.
pub(super) fn outcome(case: &TestCase) -> Vec<String> {
    let (_, result) = types::parts(&case.target.descriptor);
    let printed = match case.output.as_deref() {
        Some("") => None,
        Some(printed) => Some(format!("prints {}", text(printed))),
        None => Some(UNKNOWN_OUTPUT.into()),
    };
    [ending(&case.ending, result.as_ref())].into_iter().chain(printed).collect()
}

/// The outcome in a message, which leaves unknown output out.
pub(super) fn outcome_shown(case: &TestCase) -> String {
    let mut lines = outcome(case);
    lines.retain(|line| line != UNKNOWN_OUTPUT);
    lines.join(", ")
}

/// `object @1 (this.root) Tree$Node {key = 5, left = null}`
fn graph_object(number: usize, object: &GraphObject) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_$.<>-[] ".contains(c);
    let way = match object.name.chars().all(is_plain) && object.name.trim() == object.name {
        true => object.name.clone(),
        false => text(&object.name),
    };
    let (class, body) = match &object.body {
        GraphBody::Elements { element, items } => {
            let items: Vec<String> = items.iter().map(|item| value::write(item, Some(element))).collect();
            (types::write(element) + "[]", items.join(", "))
        }
        GraphBody::Fields(fields) => {
            let field = |field: &GraphField| {
                let owner = match field.owner == object.class {
                    true => String::new(),
                    false => format!("{}::", name(&field.owner)),
                };
                format!("{owner}{} = {}", name(&field.name), value::write(&field.value, None))
            };
            let fields: Vec<String> = fields.iter().map(field).collect();
            (name(&object.class), fields.join(", "))
        }
    };
    format!("object @{number} ({way}) {class} {{{body}}}")
}

/// `build @0 new(int): 8`, then `build @0 boolean add(int): 5`
fn build(build: &Build) -> Vec<String> {
    let mut lines = Vec::new();
    for built in &build.objects {
        let (of, _) = types::parts(&built.constructor);
        let object = built.object;
        lines.push(format!(
            "build @{object} new({}){}",
            types::write_all(&of),
            arguments(&of, &built.arguments)
        ));
        for call in &built.calls {
            let (of, result) = types::parts(&call.descriptor);
            let result = types::write_result(result.as_ref());
            let own = name(&call.method);
            let given = arguments(&of, &call.arguments);
            lines.push(format!("build @{object} {result} {own}({}){given}", types::write_all(&of)));
        }
    }
    lines
}

fn arguments(of: &[Type], values: &[JavaValue]) -> String {
    let values: Vec<String> =
        values.iter().enumerate().map(|(at, given)| value::write(given, of.get(at))).collect();
    if values.is_empty() { String::new() } else { format!(": {}", values.join(", ")) }
}

/// `returns 3`, `throws java.lang.ArithmeticException "/ by zero"`
fn ending(ending: &Ending, result: Option<&Type>) -> String {
    match ending {
        Ending::Returned(None) => "returns".into(),
        Ending::Returned(Some(returned)) => format!("returns {}", value::write(returned, result)),
        Ending::Threw { class, message: Message::Unknown } => format!("throws {}", name(class)),
        Ending::Threw { class, message: Message::Null } => format!("throws {} null", name(class)),
        Ending::Threw { class, message: Message::Text(text) } => {
            format!("throws {} {}", name(class), quoted(text, '"'))
        }
        Ending::Exited(status) => format!("exits {status}"),
    }
}
