//! SARIF 2.1.0, the format in which code hosts and editors take findings: one run, its rules, its results.
//!
//! Only what readers of the format use is written: a rule for each kind of finding, a place in the source, a
//! message, and a fingerprint that stays the same when lines move, so that a finding is known again.

use super::{Again, RunEnd, foreign_whole_input};
use crate::exploration::EntryOf;
use crate::{Entry, EntryEnd, Finding, Frontend, Language, Sink, Within};
use evergreen_explore::Place;
use evergreen_structures::text::Foreign;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// What can be done about a result of any rule; GitHub asks for it, and for a full description.
const HELP: &str = "A result has the smallest inputs that were found, and the command that shows it again.";

/// A result: a finding, or what another analysis reports.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alert {
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
    /// The function, for people.
    pub function: String,
    /// Whether the run looked for it.
    pub level: Level,
    /// How much it matters, in a word.
    pub severity: Option<&'static str>,
    /// The same for the same finding, wherever its lines are.
    pub fingerprint: String,
}

/// How a result is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// It is to be mended.
    Error,
    /// It is good to know.
    Note,
}

impl Level {
    fn name(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Note => "note",
        }
    }
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
pub fn log(alerts: &[Alert], ran: &Ran) -> Value {
    let mut rules: Vec<(&str, &str)> = alerts.iter().map(|e| (e.rule.as_str(), e.about.as_str())).collect();
    rules.sort_unstable();
    rules.dedup_by_key(|rule| rule.0);
    let results: Vec<Value> = alerts
        .iter()
        .map(|alert| {
            let index = rules.iter().position(|rule| rule.0 == alert.rule).unwrap_or_default();
            result(alert, index)
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

fn result(alert: &Alert, index: usize) -> Value {
    let mut location = json!({
        "logicalLocations": [{ "fullyQualifiedName": alert.function, "kind": "function" }],
    });
    if let Some(file) = &alert.file {
        let mut artifact = json!({ "uri": uri(file) });
        if file.is_relative() {
            artifact["uriBaseId"] = json!("%SRCROOT%");
        }
        let mut physical = json!({ "artifactLocation": artifact });
        if let Some(line) = alert.line.filter(|line| *line > 0) {
            physical["region"] = json!({ "startLine": line });
        }
        location["physicalLocation"] = physical;
    }
    let mut result = json!({
        "ruleId": alert.rule,
        "ruleIndex": index,
        "level": alert.level.name(),
        "message": { "text": unlinked(&alert.message) },
        "locations": [location],
        "partialFingerprints": { "evergreen/v1": alert.fingerprint },
    });
    if let Some(severity) = alert.severity {
        result["properties"] = json!({ "severity": severity });
    }
    result
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
///
/// # Errors
/// The file cannot be written.
pub fn write(file: &Path, log: &Value) -> Result<(), String> {
    let text = serde_json::to_string_pretty(log).unwrap_or_default();
    std::fs::write(file, text + "\n").map_err(|e| format!("{}: {e}", file.display()))
}

/// Where a finding is shown: a file, and a line in it.
pub type Location = (Option<PathBuf>, Option<u32>);

/// Finds where a finding is shown.
type Locates<'s, L> = dyn Fn(&<L as Language>::Entry, &Finding<L>) -> Location + 's;

/// Collects the findings of a run as SARIF.
pub struct Sarif<'s, L: Language> {
    alerts: Vec<Alert>,
    again: Again<L>,
    locate: Box<Locates<'s, L>>,
    /// How many findings share this part of a fingerprint: their order in the code distinguishes them.
    seen: BTreeMap<String, u32>,
}

impl<'s, L: Language> Sarif<'s, L> {
    /// None yet; `again` reproduces findings. A finding is shown where the program failed.
    pub fn new(again: Again<L>) -> Sarif<'s, L> {
        let locate = |_: &L::Entry, finding: &Finding<L>| {
            let place = finding.place();
            let file = place.and_then(|place| place.file.as_deref().map(PathBuf::from));
            (file, place.and_then(|place| place.line))
        };
        Sarif { alerts: Vec::new(), again, locate: Box::new(locate), seen: BTreeMap::new() }
    }

    /// Shows findings elsewhere: where the program's own code called what failed, in the files of the user.
    #[must_use]
    pub fn locating(mut self, locate: impl Fn(&L::Entry, &Finding<L>) -> Location + 's) -> Sarif<'s, L> {
        self.locate = Box::new(locate);
        self
    }

    fn add(&mut self, entry: &L::Entry, finding: &Finding<L>, level: Level) {
        let (unit, name, signature) = entry.key();
        let thrown_at = finding.place().map(stable).unwrap_or_default();
        let known = format!("{} in {thrown_at} from {unit}.{name}{signature}", finding.class());
        let number = self.seen.entry(known.clone()).or_insert(0);
        *number += 1;
        let message = finding.message().map(|m| format!(": {m}")).unwrap_or_default();
        let inputs = foreign_whole_input(&finding.end);
        let with = if inputs.is_empty() { String::new() } else { format!(" with {inputs}") };
        let again = self.again.of(entry, finding).map(|again| format!("\n{again}")).unwrap_or_default();
        let (file, line) = (self.locate)(entry, finding);
        self.alerts.push(Alert {
            rule: finding.class().to_string(),
            about: L::about(finding.class()),
            message: format!("{entry} throws {}{message}{with}{again}", finding.class()),
            file,
            line,
            function: entry.to_string(),
            level,
            severity: Some(finding.severity().name()),
            fingerprint: format!("{known} #{number}"),
        });
    }

    /// The whole log.
    pub fn log(&self, end: &RunEnd<'_, L>) -> Value {
        let totals = end.totals;
        let notes = std::iter::once(totals.whole()).chain(totals.within.left_out()).collect();
        log(&self.alerts, &Ran { succeeded: totals.error.is_none(), notes })
    }
}

impl<F: Frontend> Sink<F> for Sarif<'_, F::Language> {
    fn ends(&mut self, entry: &EntryOf<F>, end: &EntryEnd<'_, F::Language>) -> Result<(), String> {
        in_order(end.findings).into_iter().for_each(|finding| self.add(entry, finding, Level::Error));
        in_order(end.noted).into_iter().for_each(|finding| self.add(entry, finding, Level::Note));
        Ok(())
    }
}

/// Findings in the order of the code, which edits elsewhere do not change.
pub(crate) fn in_order<L: Language>(findings: &[Finding<L>]) -> Vec<&Finding<L>> {
    let mut all: Vec<&Finding<L>> = findings.iter().collect();
    all.sort_by_key(|finding| finding.place().map(|place| place.offset));
    all
}

/// A place without what moves: unit, function and signature.
fn stable(place: &Place) -> String {
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
    fn messages_have_no_links() {
        assert_eq!(
            unlinked("m(int[]) throws X: [a](http://b)\nagain"),
            "m(int[]) throws X: [a\\](http://b)\nagain"
        );
        assert_eq!(unlinked("a\u{1b}"), "a\\u{1b}");
    }
}
