//! The end of a path as a line of JSON: written straight into text, by the thread that found the path.
//!
//! One line a path is the most that an exploration writes. A tree of JSON values first, for a map that sorts
//! its names, took a third of the time of exploring; here the names are written in their order.

use super::{probability, values};
use evergreen_java::Place;
use evergreen_java::replay::JavaValue;
use evergreen_java::{How, MethodRef, PathEnd, PathLine, Stop};
use serde::Serialize;
use std::io::Write;

/// An object that is being written: names have to come in their order.
struct Object {
    text: Vec<u8>,
    is_empty: bool,
}

impl Object {
    fn put(&mut self, name: &str, value: impl Serialize) {
        self.name(name);
        to(&mut self.text, value);
    }

    fn name(&mut self, name: &str) {
        self.text.push(if self.is_empty { b'{' } else { b',' });
        self.is_empty = false;
        to(&mut self.text, name);
        self.text.push(b':');
    }
}

/// Writes a value. What is written has no maps whose keys are not texts, and text takes everything: there is
/// no way to fail.
fn to(text: &mut Vec<u8>, value: impl Serialize) {
    let _ = serde_json::to_writer(text, &value);
}

fn shown(place: Option<&Place>) -> Option<String> {
    place.map(Place::to_string)
}

/// The end of a path as a line, without the end of the line.
pub fn line(method: &MethodRef, end: &PathEnd) -> PathLine {
    let how = &end.how;
    let mut out = Object { text: Vec::with_capacity(512), is_empty: true };
    if let How::Cut(bound) = how {
        out.put("bound", bound);
    }
    if let How::Undecided { condition, .. } = how {
        out.put("condition", condition);
    }
    out.put("conditions", &end.conditions);
    out.put("depth", end.depth);
    out.put("event", event(how));
    if let How::Threw { class, .. } = how {
        out.put("exception", class);
    }
    if let How::Unsupported { help, .. } = how {
        out.put("help", help);
    }
    out.name("inputs");
    inputs(&mut out.text, &end.inputs);
    out.name("lines");
    lines(&mut out.text, &end.stops);
    if let How::Threw { message, .. } = how {
        out.put("message", message);
    }
    out.put("method", method.to_string());
    let number_at = outcome(how).map(|_| {
        out.name("number");
        out.text.len()
    });
    if !end.beyond.objects.is_empty() {
        out.put("objects", values::objects(&end.beyond.objects));
    }
    if let Some(outcome) = outcome(how) {
        out.put("outcome", outcome);
    }
    if !end.output.is_empty() {
        out.put("output", &end.output);
    }
    if let How::Threw { place, .. } | How::Unsupported { place, .. } | How::Undecided { place, .. } = how {
        out.put("place", shown(place.as_ref()));
    } else if let How::Stuck(place) = how {
        out.put("place", shown(place.as_ref()));
    }
    if let Some(likelihood) = &end.likelihood {
        out.put("probability", probability::json(&likelihood.mass));
    }
    if let How::Exited(status) = how {
        out.put("status", status);
    }
    out.put("steps", end.steps);
    if let How::Returned(value) = how {
        out.put("value", value.as_ref().map(values::json));
    }
    if let How::Unsupported { what, .. } = how {
        out.put("what", what);
    }
    out.text.push(b'}');
    // JSON is text.
    PathLine { text: String::from_utf8(out.text).unwrap_or_default(), number_at }
}

fn event(how: &How) -> &'static str {
    match how {
        How::Returned(_) | How::Threw { .. } | How::Exited(_) => "path",
        How::Unsupported { .. } => "unsupported",
        How::Cut(_) => "cut",
        How::Undecided { .. } => "undecided",
        How::Stuck(_) => "stuck",
    }
}

/// How the program ended it; such paths have a number.
fn outcome(how: &How) -> Option<&'static str> {
    match how {
        How::Returned(_) => Some("returned"),
        How::Threw { .. } => Some("threw"),
        How::Exited(_) => Some("exited"),
        _ => None,
    }
}

/// An object with a value for each name; of two with one name, the last.
fn inputs(text: &mut Vec<u8>, all: &[(String, JavaValue)]) {
    let mut order: Vec<&(String, JavaValue)> = all.iter().collect();
    order.sort_by(|a, b| a.0.cmp(&b.0));
    text.push(b'{');
    let mut is_first = true;
    for (at, (name, value)) in order.iter().enumerate() {
        if order.get(at + 1).is_some_and(|next| next.0 == *name) {
            continue;
        }
        if !std::mem::take(&mut is_first) {
            text.push(b',');
        }
        to(text, name);
        text.push(b':');
        match value {
            JavaValue::Int(n) => to(text, n),
            value => to(text, values::json(value)),
        }
    }
    text.push(b'}');
}

fn lines(text: &mut Vec<u8>, stops: &[Stop]) {
    text.push(b'[');
    for (at, stop) in stops.iter().enumerate() {
        if at > 0 {
            text.push(b',');
        }
        let _ = write!(text, "{{\"arm\":{},\"file\":", stop.arm);
        to(text, stop.place.file.as_deref().unwrap_or(&stop.place.unit));
        text.extend_from_slice(b",\"line\":");
        to(text, stop.place.line);
        text.push(b'}');
    }
    text.push(b']');
}

/// Writes the line of a path, with its number, and ends it.
pub fn write(mut to: impl Write, method: &MethodRef, end: &PathEnd) -> std::io::Result<()> {
    let own;
    let line = match &end.line {
        Some(line) => line,
        None => {
            own = line(method, end);
            &own
        }
    };
    match line.around_number() {
        Some((before, behind)) => writeln!(to, "{before}{}{behind}", end.number),
        None => writeln!(to, "{}", line.text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evergreen_java::jvm::{Described, InputObject, InputValue};
    use serde_json::{Value, json};

    fn place(line: Option<u32>) -> Place {
        Place {
            unit: "shop/Cart".into(),
            function: "add".into(),
            signature: "(I)V".into(),
            file: line.map(|_| "Cart.java".into()),
            line,
            offset: 7,
        }
    }

    fn end(how: How) -> PathEnd {
        let fields = vec![("Cart".into(), "next".into(), InputValue::Plain(Described::Null))];
        PathEnd {
            number: 41,
            position: vec![0, 1],
            decisions: Vec::new(),
            seeds: Vec::new(),
            how,
            inputs: vec![
                ("x\"y".into(), JavaValue::Int(-3)),
                ("a".into(), JavaValue::string("é\n")),
                ("a".into(), JavaValue::Long(5)),
            ],
            conditions: vec!["x < \"3\"".into()],
            stops: vec![Stop { place: place(Some(4)), arm: 1 }, Stop { place: place(None), arm: 0 }],
            depth: 2,
            steps: 77,
            output: "out\t".into(),
            case: None,
            likelihood: None,
            line: None,
            beyond: evergreen_java::JavaPath {
                objects: vec![InputObject { name: "this".into(), class: "shop/Cart".into(), fields }],
                ..evergreen_java::JavaPath::default()
            },
        }
    }

    fn method() -> MethodRef {
        MethodRef {
            class: "shop/Cart".into(),
            name: "add".into(),
            descriptor: "(I)V".into(),
            is_static: false,
            parameters: Vec::new(),
        }
    }

    fn written(end: &PathEnd) -> String {
        let mut text = Vec::new();
        write(&mut text, &method(), end).expect("memory takes it");
        String::from_utf8(text).expect("text")
    }

    /// Names in order, everything escaped, the number where it belongs: what a map that sorts would have
    /// written.
    #[test]
    fn a_line_is_what_a_map_would_write() {
        let hows = [
            How::Returned(Some(JavaValue::Double(0.5))),
            How::Returned(None),
            How::Threw { class: "A".into(), message: None, place: Some(place(Some(9))) },
            How::Exited(3),
            How::Unsupported { what: "w".into(), place: None, help: "h".into() },
            How::Cut("depth"),
            How::Undecided { condition: "x * y > 1".into(), place: Some(place(None)) },
            How::Stuck(None),
        ];
        for how in hows {
            let mut end = end(how);
            let text = written(&end);
            let value: Value = serde_json::from_str(&text).expect("JSON");
            assert_eq!(text, format!("{value}\n"));
            let numbered = matches!(end.how, How::Returned(_) | How::Threw { .. } | How::Exited(_));
            assert_eq!(value["number"], if numbered { json!(41) } else { Value::Null });
            assert_eq!(value["inputs"], json!({ "a": 5, "x\"y": -3 }));
            assert_eq!(value["lines"][1], json!({ "arm": 0, "file": "shop/Cart", "line": null }));
            // The thread that found it may have written it before its number was known.
            end.line = Some(line(&method(), &PathEnd { number: 0, ..end.clone() }));
            end.conditions.clear();
            assert_eq!(written(&end), text);
        }
    }
}
