//! The text of a suite.

use crate::line::{name, quoted};
use crate::{Decision, MethodTests, Suite, Test};
use crate::{types, value};
use evergreen_classfile::Type;
use evergreen_replay::{Build, Ending, GraphBody, GraphObject, JavaValue, Message, Receiver, Target};
use std::fmt::Write;

/// The first line.
pub(crate) const FIRST: &str = "evergreen suite 1";

impl Suite {
    /// The text. Tests that were read and not changed since have the lines that they had.
    pub fn write(&self) -> String {
        let mut out = format!("{FIRST}\n");
        comments(&mut out, &self.comments);
        let _ = writeln!(out, "class {}", name(&self.class));
        for method in &self.methods {
            method.write(&mut out);
        }
        if !self.last_comments.is_empty() {
            out.push('\n');
            comments(&mut out, &self.last_comments);
        }
        out
    }
}

fn comments(out: &mut String, lines: &[String]) {
    lines.iter().for_each(|line| {
        let _ = writeln!(out, "{line}");
    });
}

impl MethodTests {
    fn write(&self, out: &mut String) {
        out.push('\n');
        comments(out, &self.comments);
        let _ = writeln!(out, "{}", heading(&self.target));
        for test in &self.tests {
            out.push('\n');
            match &test.text.0 {
                Some(text) => out.push_str(text),
                None => out.push_str(&test.write(&self.target)),
            }
        }
    }
}

/// `method static int mid(int x, int y, int z)`
fn heading(target: &Target) -> String {
    let mut words = String::from("method ");
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
pub(crate) fn parameter(target: &Target, at: usize) -> String {
    target.parameters.get(at).cloned().unwrap_or_else(|| format!("p{at}"))
}

impl Test {
    /// Its lines.
    fn write(&self, target: &Target) -> String {
        let mut out = String::new();
        comments(&mut out, &self.comments);
        let _ = writeln!(out, "test {}", self.name);
        let mut line = |text: String| {
            let _ = writeln!(out, "  {text}");
        };
        let (parameters, result) = types::parts(&target.descriptor);
        if let Some(receiver) = &self.case.receiver {
            line(format!("this = {}", value::write(receiver, None)));
        }
        for (at, argument) in self.case.arguments.iter().enumerate() {
            let own = name(&parameter(target, at));
            line(format!("{own} = {}", value::write(argument, parameters.get(at))));
        }
        for (own, drawn) in &self.case.draws {
            line(format!("draw {} = {}", name(own), value::write(drawn, None)));
        }
        for (at, object) in self.case.objects.iter().enumerate() {
            line(graph_object(at, object));
        }
        for call in self.case.build.iter().flat_map(build) {
            line(call);
        }
        if let Some(path) = &self.path {
            line(path_line(path, target));
        }
        line(ending(&self.case.ending, result.as_ref()));
        match self.case.output.as_deref() {
            Some("") => {}
            Some(text) => line(format!("prints {}", quoted(&text.encode_utf16().collect::<Vec<u16>>(), '"'))),
            None => line("prints ?".into()),
        }
        out
    }
}

/// `object @1 (this.root) Tree$Node {key = 5, left = null}`
fn graph_object(number: usize, object: &GraphObject) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_$.<>-[] ".contains(c);
    let way = match object.name.chars().all(is_plain) && object.name.trim() == object.name {
        true => object.name.clone(),
        false => quoted(&object.name.encode_utf16().collect::<Vec<u16>>(), '"'),
    };
    let (class, body) = match &object.body {
        GraphBody::Elements { element, items } => {
            let items: Vec<String> = items.iter().map(|item| value::write(item, Some(element))).collect();
            (types::write(element) + "[]", items.join(", "))
        }
        GraphBody::Fields(fields) => {
            let field = |field: &evergreen_replay::GraphField| {
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

/// `path 0+ 1- 2+*3 Other.less(II)Z 0+`
fn path_line(path: &[Decision], target: &Target) -> String {
    let mut out = String::from("path");
    let own = format!("{}{}", target.method, target.descriptor);
    let mut here = (target.class.as_str(), own.as_str());
    let mut rest = path;
    while let Some(first) = rest.first() {
        if (first.class.as_str(), first.method.as_str()) != here {
            here = (&first.class, &first.method);
            let whole = match first.class == target.class {
                true => first.method.clone(),
                false => format!("{}.{}", first.class, first.method),
            };
            let _ = write!(out, " {}", place(&whole));
        }
        let times = rest.iter().take_while(|other| *other == first).count();
        let way = match first.arm {
            0 => "+".into(),
            1 => "-".into(),
            arm => format!("={arm}"),
        };
        let again = if times == 1 { String::new() } else { format!("*{times}") };
        let kind = first.kind.map(String::from).unwrap_or_default();
        let _ = write!(out, " {}{kind}{way}{again}", first.ordinal);
        rest = &rest[times..];
    }
    out
}

/// A method in a path. A name that begins with a digit would be read as a decision.
fn place(whole: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_$.<>-/;[()".contains(c);
    match whole.chars().all(is_plain) && !whole.starts_with(|c: char| c.is_ascii_digit()) {
        true => whole.to_string(),
        false => quoted(&whole.encode_utf16().collect::<Vec<u16>>(), '"'),
    }
}

/// `returns 3`, `throws java.lang.ArithmeticException "/ by zero"`
pub(crate) fn ending(ending: &Ending, result: Option<&Type>) -> String {
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
