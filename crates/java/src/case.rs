//! The test of a path: made of what is reported of the path, so that either can be rebuilt from the other.

use crate::graph;
use crate::language::Java;
use crate::{How, MethodRef, PathEnd, Program};
use evergreen_classfile::{ClassFile, MethodDescriptor, Type, access};
use evergreen_jvm::Outcome;
use evergreen_replay::{Ending as Expected, JavaValue, Receiver, Target, TestCase, is_misread};
use evergreen_service::{Rewritten, Subject};
use std::sync::Arc;

/// The test of a path whose input is whole; `None` if a test cannot make the input.
pub(crate) fn test_case(
    subject: &Subject<'_, Java>,
    outcome: &Outcome,
    expected: Expected,
    path: &PathEnd,
) -> Option<TestCase> {
    let method = subject.entry;
    let split = method.parameters.len().min(path.inputs.len());
    let argument = |(at, (_, value)): (usize, &(String, JavaValue))| {
        graph::parameter(&outcome.state, at).unwrap_or_else(|| value.clone())
    };
    let arguments: Vec<JavaValue> = path.inputs[..split].iter().enumerate().map(argument).collect();
    if !arguments.iter().all(graph::can_be_made) {
        return None;
    }
    let receiver = if method.is_static { None } else { graph::receiver(&path.beyond.objects) };
    let mut target = subject.target.clone();
    if receiver.is_some() {
        Arc::make_mut(&mut target).receiver = Receiver::Given;
    }
    Some(TestCase {
        target,
        objects: graph::objects(&path.beyond.objects)?,
        build: None,
        receiver,
        arguments,
        draws: subject.leftovers.draws(&path.inputs[split..]),
        ending: expected,
        output: Some(path.output.clone()),
        title: title(&path.how),
        arms: None,
    })
}

/// The same for a path without objects: from its report alone, in the memory of another path.
pub(crate) fn plain_case(
    path: &PathEnd,
    target: &Arc<Target>,
    parameters: usize,
    memory: Option<TestCase>,
) -> Option<TestCase> {
    let ending = match &path.how {
        How::Returned(value) => Expected::Returned(value.clone()),
        How::Exited(status) => Expected::Exited(*status),
        _ => return None,
    };
    let split = parameters.min(path.inputs.len());
    if !path.inputs[..split].iter().all(|(_, value)| graph::can_be_made(value)) {
        return None;
    }
    let (mut arguments, draws) = memory.map_or_else(Default::default, |old| (old.arguments, old.draws));
    arguments.clear();
    arguments.extend(path.inputs[..split].iter().map(|(_, value)| value.clone()));
    let mut draws = Rewritten::over(draws);
    path.inputs[split..].iter().for_each(|(name, value)| draws.put(name, value.clone()));
    Some(TestCase {
        target: target.clone(),
        objects: Vec::new(),
        build: None,
        receiver: None,
        arguments,
        draws: draws.end(),
        ending,
        output: Some(path.output.clone()),
        title: title(&path.how),
        arms: None,
    })
}

/// What a test calls.
pub fn target(program: &Program, method: &MethodRef) -> Target {
    let class = program.classes().iter().find(|class| class.name == method.class);
    let own = class.and_then(|class| class.method(&method.name, &method.descriptor));
    let private = |flags: u16| flags & access::PRIVATE != 0;
    let nested = class.and_then(|c| c.inner_classes.iter().find(|inner| inner.inner == c.name));
    let is_local = class.is_some_and(|class| class.enclosing_method.is_some());
    // Nor can a test name the class of a parameter or result that is private.
    let is_private = |name: &str| {
        let found = program.classes().iter().find(|class| *class.name == *name);
        found.is_some_and(|c| {
            is_flat(c) || c.inner_classes.iter().any(|i| i.inner == c.name && private(i.access))
        })
    };
    let result = MethodDescriptor::parse(&method.descriptor).ok().and_then(|parsed| parsed.result);
    let mut named = method.parameters.iter().map(|(_, of)| of).chain(&result).filter_map(class_of);
    Target {
        class: method.class.replace('/', "."),
        method: method.name.to_string(),
        descriptor: method.descriptor.to_string(),
        receiver: if method.is_static { Receiver::Static } else { Receiver::DefaultConstructor },
        hidden: own.is_some_and(|own| private(own.access))
            || nested.is_some_and(|n| private(n.access))
            || is_local
            || class.is_some_and(is_flat)
            || named.any(is_private),
        parameters: method.parameters.iter().map(|(name, _)| name.to_string()).collect(),
        exceptions: own
            .map_or_else(Vec::new, |own| own.exceptions.iter().map(|e| e.replace('/', ".")).collect()),
    }
}

/// Whether a class has a `$` in its name without being inside of another, as Java would think.
fn is_flat(class: &ClassFile) -> bool {
    class.name.contains('$') && !class.inner_classes.iter().any(|inner| inner.inner == class.name)
}

/// Classes of a program whose names Java would read as something else, as `Class.getName` has them.
pub fn misread(program: &Program) -> Vec<String> {
    let classes = program.classes().iter();
    classes
        .filter(|class| is_misread(&class.java_name(), || is_flat(class)))
        .map(ClassFile::java_name)
        .collect()
}

/// The class that a type names.
fn class_of(of: &Type) -> Option<&str> {
    match of {
        Type::Class(name) => Some(name),
        Type::Array(element) => class_of(element),
        _ => None,
    }
}

/// What a path shows, in a few words.
fn title(how: &How) -> String {
    match how {
        How::Returned(None) => "returns".into(),
        How::Returned(Some(value)) => format!("returns {}", short(value)),
        How::Threw { class, place, .. } => {
            let name = class.rsplit(['.', '$']).next().unwrap_or(class);
            match place.as_ref().and_then(|place| place.line) {
                Some(line) => format!("throws {name} at line {line}"),
                None => format!("throws {name}"),
            }
        }
        How::Exited(status) => format!("exits with {status}"),
        _ => "ends".into(),
    }
}

/// A value in a few letters, for titles.
pub(crate) fn short(value: &JavaValue) -> String {
    value.short()
}
