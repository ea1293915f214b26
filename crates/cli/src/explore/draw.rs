//! `--draw`: the structure that each finished path needs, as SVG and DOT.
//!
//! Pictures are not a part of the language-neutral reports: what they show (fields that a path read or that
//! completing the input added, labels of lazy initialization, arrays, fields of the JDK that are hidden) is
//! how Java's lazy heaps make objects. A page receives the drawing as markup.

pub(super) mod dot;
mod layout;
mod lines;
pub(super) mod picture;
#[cfg(test)]
mod samples;
pub(super) mod svg;
#[cfg(test)]
pub(super) mod tests;

use evergreen_java::java_value;
use evergreen_java::jvm::{Described, FieldShape, InputObject, InputValue};
use evergreen_java::replay::JavaValue;
use evergreen_java::replay::TestCase;
use evergreen_java::report::foreign_inputs;
use evergreen_java::report::html::outcome;
use evergreen_java::{Java, JavaFrontend, Language, MethodRef, PathEnd, Sink, TestId, source_text};
use picture::{Field, Holds, Known, Node, Picture};
use std::path::{Path, PathBuf};
use svg::{Frame, draw};

/// The files of `--draw`.
pub(super) struct Drawings {
    folder: PathBuf,
    most: u64,
    /// Structures drawn.
    pub drawn: u64,
    /// Structures that are one too many.
    pub left_out: u64,
}

impl Drawings {
    /// Into a folder, so many at most.
    pub(super) fn create(folder: &Path, most: u64) -> Result<Drawings, String> {
        std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        Ok(Drawings { folder: folder.to_path_buf(), most, drawn: 0, left_out: 0 })
    }

    /// Draws the input of a path, if there are objects in it.
    fn draw(&mut self, method: &MethodRef, end: &PathEnd) -> Result<(), String> {
        if end.beyond.objects.is_empty() || !end.how.is_outcome() {
            return Ok(());
        }
        if self.drawn >= self.most {
            self.left_out += 1;
            return Ok(());
        }
        self.drawn += 1;
        let picture = picture(method, end);
        for (kind, text) in [("svg", draw(&picture, Frame::Alone)), ("dot", dot::dot(&picture))] {
            let file = self.folder.join(format!("path-{:04}.{kind}", self.drawn));
            std::fs::write(&file, text).map_err(|e| format!("{}: {e}", file.display()))?;
        }
        Ok(())
    }

    /// What there is now, in words.
    pub(super) fn told(&self) -> String {
        let Drawings { folder, drawn, left_out, .. } = self;
        let structures = if *drawn == 1 { "structure is" } else { "structures are" };
        let mut line = format!("{drawn} {structures} drawn in {}", folder.display());
        if *left_out > 0 {
            line += &format!("; {left_out} more are not (--draw-most)");
        }
        line
    }
}

impl Sink<JavaFrontend> for Drawings {
    fn path(
        &mut self,
        method: &MethodRef,
        path: &PathEnd,
        _: Option<(TestId, &TestCase)>,
    ) -> Result<(), String> {
        self.draw(method, path)
    }
}

/// The picture of a path's input.
pub(super) fn picture(method: &MethodRef, end: &PathEnd) -> Picture {
    let mut title = format!("{method}, path {}: {}", end.number, outcome(&end.how));
    let plain: Vec<(String, JavaValue)> =
        end.inputs.iter().filter(|(_, value)| !Java::is_object(value)).cloned().collect();
    if !plain.is_empty() {
        title += &format!(" [{}]", foreign_inputs::<Java>(&plain));
    }
    let mut nodes: Vec<Node> =
        end.beyond.objects.iter().enumerate().map(|(at, object)| node(end, at, object)).collect();
    for (name, value) in &end.inputs {
        if let JavaValue::Ref(at) = value
            && let Some(node) = nodes.get_mut(*at)
            && !node.roots.contains(name)
        {
            node.roots.push(name.clone());
        }
    }
    hide_unread(&mut nodes, &end.beyond.objects);
    Picture::new(title, nodes)
}

fn node(end: &PathEnd, at: usize, object: &InputObject) -> Node {
    let read = end.beyond.read.get(at).map_or(&[][..], |read| &read.fields);
    let is_read = |owner: &str, name: &str| read.iter().any(|(o, n, _)| **o == *owner && **n == *name);
    let shape = end.beyond.shapes.get(at);
    let shape_of =
        |name: &str| shape.and_then(|shape| shape.fields.iter().find(|field| *field.name == *name));
    let is_array = object.class.starts_with('[');
    let mut fields: Vec<Field> = Vec::new();
    if is_array {
        fields.push(Field::new("length", Holds::Text(object.fields.len().to_string()), Known::Read));
    }
    for (owner, name, value) in &object.fields {
        let known = if is_read(owner, name) { Known::Read } else { Known::Added };
        let of = shape_of(name);
        let shown = if is_array { format!("[{name}]") } else { name.to_string() };
        let mut field = Field::new(&shown, holds(value, of), known);
        field.leads_back = of.and_then(|of| of.leads_back);
        fields.push(field);
    }
    if let Some(shape) = shape {
        let mut all = Vec::new();
        for of in &shape.fields {
            match fields.iter().position(|field| field.name == *of.name) {
                Some(place) => all.push(fields.remove(place)),
                None => {
                    let holds = if of.is_reference { Holds::AnyNode } else { Holds::Any };
                    let mut field = Field::new(&of.name, holds, Known::Unread);
                    field.leads_back = of.leads_back;
                    all.push(field);
                }
            }
        }
        all.append(&mut fields);
        fields = all;
    }
    let class = simple(&object.class);
    let name = object.name.to_string();
    let is_root = !name.contains(['.', '[']);
    Node {
        class,
        roots: if is_root { vec![name.clone()] } else { Vec::new() },
        way: name,
        number: 0,
        labels: shape.and_then(|shape| shape.labels).filter(|_| !is_root).map(labels),
        added: at >= end.beyond.read.len() || read.is_empty() && !object.fields.is_empty(),
        fields,
    }
}

/// Places in the breadth-first order below the root, from 0 on.
fn labels(bits: u64) -> String {
    let all: Vec<u32> = (1..64).filter(|bit| bits & (1 << bit) != 0).map(|bit| bit - 1).collect();
    match all[..] {
        [] => "{}".into(),
        [first, .., last] if all.len() > 4 && last - first + 1 == all.len() as u32 => {
            format!("{{{first}..{last}}}")
        }
        _ => {
            let shown: Vec<String> = all.iter().take(6).map(u32::to_string).collect();
            format!("{{{}{}}}", shown.join(","), if all.len() > 6 { ",…" } else { "" })
        }
    }
}

fn holds(value: &InputValue, of: Option<&FieldShape>) -> Holds {
    let constant = |n: usize| of.and_then(|of| of.constants.get(n)).map(|name| Holds::Text(name.clone()));
    match value {
        InputValue::Object(place) => Holds::Node(*place),
        InputValue::Plain(Described::Null) => Holds::Null,
        InputValue::Plain(plain) => {
            let named = match plain {
                Described::Boolean(value) => constant(usize::from(*value)),
                Described::Int(value) => usize::try_from(*value).ok().and_then(constant),
                _ => None,
            };
            named.unwrap_or_else(|| Holds::Text(source_text(&java_value(plain))))
        }
    }
}

/// A field of the JDK's objects is hidden if no path read it of any of them. So are fields that are null
/// because nothing else is known of them: cached views and the like.
fn hide_unread(nodes: &mut [Node], objects: &[InputObject]) {
    let known: Vec<(String, String)> = nodes
        .iter()
        .flat_map(|node| {
            let known = node.fields.iter().filter(|field| field.known != Known::Unread);
            known.map(|field| (node.class.clone(), field.name.clone()))
        })
        .collect();
    for (node, object) in nodes.iter_mut().zip(objects) {
        if object.class.starts_with("java/") {
            let class = node.class.clone();
            node.fields.retain(|field| {
                let is_idle = field.holds == Holds::Null && field.leads_back.is_none();
                match field.known {
                    Known::Read => true,
                    Known::Added => !is_idle,
                    Known::Unread => known.iter().any(|(c, name)| *c == class && *name == field.name),
                }
            });
        }
    }
}

/// The simple name of a class: `Node` of `heap/TreeSet$Node`, `Node[]` of an array of them.
fn simple(internal: &str) -> String {
    let element = internal.trim_start_matches('[');
    let dimensions = internal.len() - element.len();
    let element =
        if dimensions > 0 { element.trim_start_matches('L').trim_end_matches(';') } else { element };
    let name = element.rsplit(['/', '.', '$']).next().unwrap_or(element);
    format!("{name}{}", "[]".repeat(dimensions))
}
