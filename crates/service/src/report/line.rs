//! The end of a path as a line of JSON: written straight into text, by the thread that found the path.
//!
//! One line a path is the most that an exploration writes. A tree of JSON values first, for a map that sorts
//! its names, took a third of the time of exploring; here the names are written in their order. The names are
//! the same in every language, so that one reader reads them all.

use super::chances;
use crate::{Beyond, How, Language, PathEnd, PathLine, Stop};
use evergreen_explore::Place;
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
pub fn line<L: Language>(entry: &L::Entry, end: &PathEnd<L>) -> PathLine {
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
    inputs::<L>(&mut out.text, &end.inputs);
    out.name("lines");
    lines(&mut out.text, &end.stops);
    if let How::Threw { message, .. } = how {
        out.put("message", message);
    }
    out.put("method", entry.to_string());
    let number_at = outcome(how).map(|_| {
        out.name("number");
        out.text.len()
    });
    if end.beyond.objects() > 0 {
        out.put("objects", end.beyond.json());
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
        out.put("probability", chances::json(&likelihood.mass));
    }
    if end.sampled {
        out.put("sampled", true);
    }
    if let How::Threw { severity, .. } = how {
        out.put("severity", severity.name());
    }
    if let How::Exited(status) = how {
        out.put("status", status);
    }
    out.put("steps", end.steps);
    if let How::Returned(value) = how {
        out.put("value", value.as_ref().map(L::json));
    }
    if let How::Unsupported { what, .. } = how {
        out.put("what", what);
    }
    out.text.push(b'}');
    // JSON is text.
    PathLine { text: String::from_utf8(out.text).unwrap_or_default(), number_at }
}

fn event<L: Language>(how: &How<L>) -> &'static str {
    match how {
        How::Returned(_) | How::Threw { .. } | How::Exited(_) => "path",
        How::Unsupported { .. } => "unsupported",
        How::Cut(_) => "cut",
        How::Undecided { .. } => "undecided",
        How::Stuck(_) => "stuck",
    }
}

/// How the program ended it; such paths have a number.
fn outcome<L: Language>(how: &How<L>) -> Option<&'static str> {
    match how {
        How::Returned(_) => Some("returned"),
        How::Threw { .. } => Some("threw"),
        How::Exited(_) => Some("exited"),
        _ => None,
    }
}

/// An object with a value for each name; of two with one name, the last.
fn inputs<L: Language>(text: &mut Vec<u8>, all: &[(String, L::Value)]) {
    let mut order: Vec<&(String, L::Value)> = all.iter().collect();
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
        to(text, L::json(value));
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
pub fn write<L: Language>(mut to: impl Write, entry: &L::Entry, end: &PathEnd<L>) -> std::io::Result<()> {
    let own;
    let line = match &end.line {
        Some(line) => line,
        None => {
            own = line(entry, end);
            &own
        }
    };
    match line.around_number() {
        Some((before, behind)) => writeln!(to, "{before}{}{behind}", end.number),
        None => writeln!(to, "{}", line.text),
    }
}
