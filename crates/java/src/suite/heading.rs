//! The heading of a method's tests: `method static int mid(int x, int y, int z)`.

use super::{name, types};
use evergreen_classfile::Type;
use evergreen_replay::{Receiver, Target};
use evergreen_suite::Flaw;
use evergreen_suite::line::Line;
use std::fmt::Write;

/// `static int mid(int x, int y, int z)`
pub(super) fn write(target: &Target) -> String {
    let mut words = String::new();
    if target.hidden {
        words.push_str("hidden ");
    }
    if target.receiver == Receiver::Static {
        words.push_str("static ");
    }
    let (parameters, result) = types::parts(&target.descriptor);
    let _ = write!(words, "{} {}(", types::write_result(result.as_ref()), name(&target.method));
    for (at, of) in parameters.iter().enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        let _ = write!(words, "{comma}{} {}", types::write(of), name(&parameter(target, at)));
    }
    words.push(')');
    for (at, exception) in target.exceptions.iter().enumerate() {
        let _ = write!(words, "{} {}", if at == 0 { " throws" } else { "," }, name(exception));
    }
    words
}

/// The name of a parameter, made up where the class file has none.
pub(super) fn parameter(target: &Target, at: usize) -> String {
    target.parameters.get(at).cloned().unwrap_or_else(|| format!("p{at}"))
}

/// A method of a class, as its heading has it.
pub(super) fn read(class: &str, line: &mut Line<'_>) -> Result<Target, Flaw> {
    let (mut hidden, mut receiver) = (false, Receiver::DefaultConstructor);
    loop {
        if line.takes_word("hidden") {
            hidden = true;
        } else if line.takes_word("static") {
            receiver = Receiver::Static;
        } else {
            break;
        }
    }
    let result = types::read_result(line)?;
    let method = line.name("the name of a method")?;
    let (of, parameters) = parameters(line)?;
    let mut exceptions = Vec::new();
    if line.takes_word("throws") {
        exceptions.push(line.name("a class of exceptions")?);
        while line.takes(",") {
            exceptions.push(line.name("a class of exceptions")?);
        }
    }
    let descriptor = types::descriptor(&of, result.as_ref());
    Ok(Target { class: class.into(), method, descriptor, receiver, hidden, parameters, exceptions })
}

/// Types and names of parameters.
fn parameters(line: &mut Line<'_>) -> Result<(Vec<Type>, Vec<String>), Flaw> {
    let (mut all, mut names) = (Vec::new(), Vec::new());
    line.need("(")?;
    if line.takes(")") {
        return Ok((all, names));
    }
    loop {
        all.push(types::read(line, "a type")?);
        let name = line.name("the name of a parameter")?;
        if names.contains(&name) {
            return Err(line.flaw(format!("two parameters \"{name}\"")));
        }
        names.push(name);
        if line.takes(")") {
            return Ok((all, names));
        }
        if !line.takes(",") {
            return Err(line.expected("\",\" or \")\""));
        }
    }
}
