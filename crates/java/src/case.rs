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
    let names = method.parameters.iter().map(|(name, _)| &**name);
    let (made, inputs) = split_receiver(&path.inputs, method.is_static, names);
    let split = method.parameters.len().min(inputs.len());
    let argument = |(at, (_, value)): (usize, &(String, JavaValue))| {
        graph::parameter(&outcome.state, at).unwrap_or_else(|| value.clone())
    };
    let arguments: Vec<JavaValue> = inputs[..split].iter().enumerate().map(argument).collect();
    if !arguments.iter().chain(made).all(graph::can_be_made) {
        return None;
    }
    let lazy = if method.is_static { None } else { graph::receiver(&path.beyond.objects) };
    let receiver = lazy.or_else(|| made.cloned());
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
        draws: subject.leftovers.draws(&inputs[split..]),
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
    let names = target.parameters.iter().map(String::as_str);
    let (receiver, inputs) = split_receiver(&path.inputs, target.receiver == Receiver::Static, names);
    let split = parameters.min(inputs.len());
    if !inputs[..split].iter().map(|(_, value)| value).chain(receiver).all(graph::can_be_made) {
        return None;
    }
    let mut target = target.clone();
    if receiver.is_some() {
        Arc::make_mut(&mut target).receiver = Receiver::Given;
    }
    let (mut arguments, draws) = memory.map_or_else(Default::default, |old| (old.arguments, old.draws));
    arguments.clear();
    arguments.extend(inputs[..split].iter().map(|(_, value)| value.clone()));
    let mut draws = Rewritten::over(draws);
    inputs[split..].iter().for_each(|(name, value)| draws.put(name, value.clone()));
    Some(TestCase {
        target,
        objects: Vec::new(),
        build: None,
        receiver: receiver.cloned(),
        arguments,
        draws: draws.end(),
        ending,
        output: Some(path.output.clone()),
        title: title(&path.how),
        arms: None,
    })
}

/// What a method was called on, if the inputs say so, and the other inputs. A class file may call a parameter
/// `this`, too.
pub(crate) fn split_receiver<'i, 'n>(
    inputs: &'i [(String, JavaValue)],
    is_static: bool,
    mut parameters: impl Iterator<Item = &'n str>,
) -> (Option<&'i JavaValue>, &'i [(String, JavaValue)]) {
    match inputs.split_first() {
        Some(((name, receiver), rest)) if !is_static && name == graph::RECEIVER => {
            let mut own = rest.iter().map(|(name, _)| name.as_str());
            match parameters.all(|parameter| own.next() == Some(parameter)) {
                true => (Some(receiver), rest),
                false => (None, inputs),
            }
        }
        _ => (None, inputs),
    }
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
