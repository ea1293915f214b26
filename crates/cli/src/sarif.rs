//! SARIF 2.1.0, the format in which code hosts and editors take findings: one run, its rules, its results.
//!
//! Only what readers of the format use is written: a rule for each kind of finding, a place in the source, a
//! message, and a fingerprint that stays the same when lines move, so that a finding is known again.

use crate::say::{Foreign, is_active};
use evergreen_java::Place;
use evergreen_java::classfile::ClassFile;
use serde_json::{Value, json};
use std::path::{Component, Path, PathBuf};

/// What can be done about a result of any rule; GitHub asks for it, and for a full description.
const HELP: &str = "A result has the smallest inputs that were found, and the command that shows it again.";

/// A finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The rule: an exception class, say.
    pub rule: String,
    /// What the rule is about, in a sentence.
    pub about: String,
    /// What is wrong here.
    pub message: String,
    /// The file, relative to where the command runs where that is possible.
    pub file: Option<PathBuf>,
    /// The line, from 1 on.
    pub line: Option<u32>,
    /// The method, for people.
    pub method: String,
    /// The same for the same finding, wherever its lines are.
    pub fingerprint: String,
}

/// What is said of the run itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ran {
    /// Whether it came to its end.
    pub succeeded: bool,
    /// How far its results go, in sentences.
    pub notes: Vec<String>,
}

/// The whole log.
pub fn log(entries: &[Entry], ran: &Ran) -> Value {
    let mut rules: Vec<(&str, &str)> = entries.iter().map(|e| (e.rule.as_str(), e.about.as_str())).collect();
    rules.sort_unstable();
    rules.dedup_by_key(|rule| rule.0);
    let results: Vec<Value> = entries
        .iter()
        .map(|entry| {
            let index = rules.iter().position(|rule| rule.0 == entry.rule).unwrap_or_default();
            result(entry, index)
        })
        .collect();
    let rules: Vec<Value> = rules
        .iter()
        .map(|(id, about)| {
            json!({
                "id": id,
                "shortDescription": { "text": about },
                "fullDescription": { "text": about },
                "help": { "text": HELP },
                "defaultConfiguration": { "level": "error" },
            })
        })
        .collect();
    let driver = json!({ "name": "Evergreen", "version": env!("CARGO_PKG_VERSION"), "rules": rules });
    let note = |text: &String| json!({ "level": "note", "message": { "text": text } });
    let notes: Vec<Value> = ran.notes.iter().map(note).collect();
    let invocation = json!({ "executionSuccessful": ran.succeeded, "toolExecutionNotifications": notes });
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver },
            "invocations": [invocation],
            "columnKind": "utf16CodeUnits",
            "results": results,
        }],
    })
}

fn result(entry: &Entry, index: usize) -> Value {
    let mut location = json!({
        "logicalLocations": [{ "fullyQualifiedName": entry.method, "kind": "function" }],
    });
    if let Some(file) = &entry.file {
        let mut artifact = json!({ "uri": uri(file) });
        if file.is_relative() {
            artifact["uriBaseId"] = json!("%SRCROOT%");
        }
        let mut physical = json!({ "artifactLocation": artifact });
        if let Some(line) = entry.line.filter(|line| *line > 0) {
            physical["region"] = json!({ "startLine": line });
        }
        location["physicalLocation"] = physical;
    }
    json!({
        "ruleId": entry.rule,
        "ruleIndex": index,
        "level": "error",
        "message": { "text": unlinked(&entry.message) },
        "locations": [location],
        "partialFingerprints": { "evergreen/v1": entry.fingerprint },
    })
}

/// A message without links: SARIF has some in plain text, `[words](address)`, and programs write what they
/// like into theirs.
fn unlinked(message: &str) -> String {
    let lines: Vec<String> = message.lines().map(|line| Foreign(line).to_string()).collect();
    lines.join("\n").replace("](", "\\](")
}

/// A path as a reference: parts between slashes, everything unusual in percent.
fn uri(path: &Path) -> String {
    let parts = path.components().filter_map(|part| match part {
        Component::Normal(part) => Some(encoded(&part.to_string_lossy())),
        Component::ParentDir => Some("..".into()),
        _ => None,
    });
    let joined = parts.collect::<Vec<String>>().join("/");
    if path.is_absolute() { format!("file:///{joined}") } else { joined }
}

fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~$".contains(&byte);
    text.bytes().map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}

/// Writes a log.
pub fn write(file: &Path, entries: &[Entry], ran: &Ran) -> Result<(), String> {
    let text = serde_json::to_string_pretty(&log(entries, ran)).unwrap_or_default();
    std::fs::write(file, text + "\n").map_err(|e| format!("{}: {e}", file.display()))
}

/// Where the source of a class is, among what was given to be explored: a file as it was named, one below a
/// folder, or the place where its package says that it is. Class files say what they like of their source:
/// what is no name of a file is not used.
pub fn source_of(targets: &[PathBuf], class: &str, file: &str) -> PathBuf {
    let (package, name) = class.rsplit_once('/').unwrap_or(("", class));
    let usual = format!("{}.java", name.split('$').find(|part| !part.is_empty()).unwrap_or("Unknown"));
    let file = if is_file_name(file) { file } else { &usual };
    let own: PathBuf = Path::new(package).join(file);
    for target in targets {
        if target.is_file() && target.file_name().is_some_and(|name| name == file) {
            return target.clone();
        }
        let roots = ["", "src/main/java", "src"].map(|root| target.join(root).join(&own));
        if let Some(found) = roots.into_iter().find(|place| place.is_file()) {
            return found;
        }
    }
    own
}

/// Whether a text is the name of a file and nothing more: no folder, on no system, and no address.
fn is_file_name(text: &str) -> bool {
    !matches!(text, "" | "." | "..") && !text.contains(|c: char| "/\\:".contains(c) || is_active(c))
}

/// The first line of a method, and its file.
pub fn declared_at(
    classes: &[ClassFile],
    class: &str,
    name: &str,
    descriptor: &str,
) -> Option<(String, u32)> {
    let class = classes.iter().find(|own| *own.name == *class)?;
    let line = class.method(name, descriptor)?.code.as_ref()?.lines.iter().map(|(_, line)| *line).min()?;
    Some((class.source_file.as_ref()?.to_string(), line.into()))
}

/// A place without what moves: class, method and descriptor.
pub fn stable(place: &Place) -> String {
    format!("{}.{}{}", place.unit, place.function, place.signature)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_have_slashes_and_percent_signs() {
        assert_eq!(uri(Path::new("./src/A b#.java")), "src/A%20b%23.java");
        assert_eq!(uri(Path::new("../x/B$C.java")), "../x/B$C.java");
        assert_eq!(uri(Path::new("/tmp/\u{e4}.java")), "file:///tmp/%C3%A4.java");
    }

    #[test]
    fn a_class_file_does_not_say_where_files_are() {
        let of = |file: &str| uri(&source_of(&[PathBuf::from("/")], "shop/Cart$Item", file));
        assert_eq!(of("Carts.java"), "shop/Carts.java");
        for file in [
            "../../x",
            "/etc/passwd",
            "..",
            ".",
            "",
            "a/b",
            "..\\x",
            "c:x",
            "http://e/x",
            "x\0",
            "\u{202e}x",
            "\n",
        ] {
            assert_eq!(of(file), "shop/Cart.java", "{file:?}");
        }
        assert_eq!(of("100%2e.java"), "shop/100%252e.java");
    }

    #[test]
    fn messages_have_no_links() {
        assert_eq!(
            unlinked("m(int[]) throws X: [a](http://b)\nagain"),
            "m(int[]) throws X: [a\\](http://b)\nagain"
        );
        assert_eq!(unlinked("a\u{1b}"), "a\\u{1b}");
    }
}
