//! `--report`: the run as one HTML file that needs nothing else: no script, no network, light and dark, on
//! paper too.
//!
//! Everything that comes from the program (names, strings, messages) goes through [`escape`]. Rows are kept
//! as they come, up to a limit for each method, and written at the end, when the tests have names and the JVM
//! has measured their coverage.

mod chances;
mod style;
mod summary;

use super::again::Again;
use super::draw::picture::Picture;
use super::draw::svg::{self, Frame, draw};
use super::draw::{is_finished, picture};
use super::junit::{Divergence, TestNames};
use super::totals::Totals;
use super::values;
use crate::shell::quoted;
use evergreen_java::replay::TestCase;
use evergreen_java::report::route;
use evergreen_java::{EntryEnd, Finding, How, Java, JavaFrontend, MethodRef, PathEnd, Sink, TestId};
use std::ffi::OsString;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use style::PAGE;

/// Paths of one method that have a row.
const ROWS: usize = 500;
/// Structures drawn in rows, of all methods; those of findings are drawn always.
const PICTURES: usize = 300;
/// Conditions of a path that are shown.
const CONDITIONS: usize = 200;
/// Letters of one text that are shown.
const LETTERS: usize = 4_000;

/// The report.
pub struct Page {
    file: PathBuf,
    title: String,
    command: String,
    sections: Vec<Section>,
    findings: Vec<Row>,
    pictures: usize,
    again: Again,
}

/// The report of one method.
struct Section {
    name: String,
    rows: Vec<Row>,
    /// The path conditions with their probabilities.
    chances: chances::Tree,
    /// Paths without a row.
    left_out: u64,
    /// Paths and what cut them, in a line.
    ends: String,
    failed: Option<String>,
    /// Inputs on which an invariant and a class's own check disagree.
    disagreements: Vec<String>,
}

/// A path, or a finding: text before and after the name of its test.
struct Row {
    before: String,
    test: Option<TestId>,
    after: String,
}

/// An argument without the password of an address: reports are shared.
fn without_password(word: OsString) -> OsString {
    let hidden = word.to_str().and_then(|text| {
        let (scheme, rest) = text.split_once("://")?;
        rest.rsplit_once('@').map(|(_, host)| format!("{scheme}://{host}").into())
    });
    hidden.unwrap_or(word)
}

impl Page {
    /// An empty report, to be written to `file`.
    ///
    /// # Errors
    /// The file cannot be written: this is an error before anything is explored.
    pub fn new(file: &Path, targets: &[PathBuf], again: Again) -> Result<Page, String> {
        let opened = std::fs::OpenOptions::new().create(true).append(true).open(file);
        opened.map_err(|e| format!("{}: {e}", file.display()))?;
        let name = |target: &PathBuf| {
            target.file_name().unwrap_or(target.as_os_str()).to_string_lossy().into_owned()
        };
        let words: Vec<String> = std::env::args_os().skip(1).map(without_password).map(quoted).collect();
        Ok(Page {
            file: file.to_path_buf(),
            title: targets.iter().map(name).collect::<Vec<_>>().join(", "),
            command: format!("evergreen {}", words.join(" ")),
            sections: Vec::new(),
            findings: Vec::new(),
            pictures: 0,
            again,
        })
    }

    /// A method begins.
    fn begin(&mut self, method: &MethodRef) {
        self.sections.push(Section {
            name: method.to_string(),
            rows: Vec::new(),
            chances: chances::Tree::default(),
            left_out: 0,
            ends: String::new(),
            failed: None,
            disagreements: Vec::new(),
        });
    }

    /// It cannot be explored.
    fn fail(&mut self, why: &str) {
        if let Some(section) = self.sections.last_mut() {
            section.failed = Some(why.into());
        }
    }

    /// The end of a path, and where its test is.
    fn add(&mut self, method: &MethodRef, end: &PathEnd, test: Option<TestId>) {
        let Some(section) = self.sections.last_mut() else { return };
        section.chances.path(end);
        if section.rows.len() >= ROWS {
            section.left_out += 1;
            return;
        }
        let number = if is_finished(&end.how) { end.number.to_string() } else { String::new() };
        let class = match &end.how {
            How::Returned(_) | How::Exited(_) => "fine",
            How::Threw { .. } => "found",
            _ => "lost",
        };
        let mut before = format!(
            "<tr class=\"{class}\"><td class=\"n\">{number}</td><td>{}</td><td>{}",
            escape(&clipped(&outcome(&end.how))),
            inputs(&end.inputs)
        );
        if !end.beyond.objects.is_empty() {
            if self.pictures < PICTURES {
                self.pictures += 1;
                let objects = end.beyond.objects.len();
                let _ = write!(
                    before,
                    "<details><summary>{objects} object{}</summary>{}</details>",
                    if objects == 1 { "" } else { "s" },
                    figure(&picture(method, end))
                );
            } else {
                let _ = write!(before, "<code>{}</code>", escape(&clipped(&end.beyond.shown())));
            }
        }
        before += "</td>";
        let after = format!("<td>{}</td></tr>\n", conditions(&end.conditions));
        section.rows.push(Row { before, test, after });
    }

    /// A finding, its structure and the command that reproduces it.
    fn finding(&mut self, method: &MethodRef, finding: &Finding, again: &str) {
        let message = finding.message().map(|m| format!(": {m}")).unwrap_or_default();
        let mut text = format!(
            "<article class=\"finding\"><h3>{}<span class=\"message\">{}</span></h3>\n<dl>\n",
            escape(finding.class()),
            escape(&clipped(&message))
        );
        let mut put = |name: &str, html: String| {
            let _ = writeln!(text, "<dt>{name}</dt><dd>{html}</dd>");
        };
        put("method", format!("<code>{}</code>", escape(&method.to_string())));
        if let Some(place) = finding.place() {
            put("thrown at", format!("<code>{}</code>", escape(&place.to_string())));
        }
        let plain = inputs(&finding.end.inputs);
        if !plain.is_empty() {
            put("inputs", plain);
        }
        if !finding.end.beyond.objects.is_empty() {
            put("objects", figure(&picture(method, &finding.end)));
        }
        if !finding.end.stops.is_empty() {
            put("path", format!("<code>{}</code>", escape(&clipped(&route(&finding.end.stops)))));
        }
        if finding.paths > 1 {
            put("paths", format!("{} end so; the one with the smallest inputs is shown", finding.paths));
        }
        if !finding.end.conditions.is_empty() {
            put("conditions", conditions(&finding.end.conditions));
        }
        let again = format!("<dt>again</dt><dd><code>{}</code></dd>\n</dl></article>\n", escape(again));
        self.findings.push(Row { before: text, test: finding.test, after: again });
    }

    /// A method ends.
    fn end(&mut self, end: &EntryEnd<'_, Java>) {
        let Some(section) = self.sections.last_mut() else { return };
        let (summary, tally) = (&end.done.summary, &end.done.tally);
        section.ends = summary::method_line(summary, tally, end.within);
        section.disagreements.clone_from(&tally.disagreements);
        if end.done.is_empty() {
            section.failed = Some(end.within.nothing_fits());
        }
    }

    /// Writes it.
    pub fn finish(
        self,
        totals: &Totals,
        divergences: &[Divergence],
        names: &TestNames,
    ) -> Result<(), String> {
        let text = self.render(totals, divergences, names);
        std::fs::write(&self.file, text).map_err(|e| format!("{}: {e}", self.file.display()))
    }

    fn render(&self, totals: &Totals, divergences: &[Divergence], names: &TestNames) -> String {
        let title = escape(&self.title);
        let mut page = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" \
             content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}: explored</title>\n<style>\n{PAGE}{}</style>\n</head>\n<body>\n\
             <h1>{title}</h1>\n<p class=\"command\"><code>{}</code></p>\n",
            svg::STYLE,
            escape(&self.command)
        );
        page += &summary::verdict(totals);
        if !self.findings.is_empty() {
            page += "<h2 id=\"findings\">Findings</h2>\n";
            for Row { before, test, after } in &self.findings {
                page += before;
                if let Some(name) = names.of_test(*test) {
                    let _ = writeln!(page, "<dt>test</dt><dd><code>{}</code></dd>", escape(name));
                }
                page += after;
            }
        }
        page += &summary::divergences(divergences);
        page += &summary::numbers(totals);
        let _ = writeln!(page, "<h2 id=\"methods\">Methods</h2>");
        for section in &self.sections {
            section.render(&mut page, names, self.sections.len() <= 3);
        }
        page += "</body>\n</html>\n";
        page
    }
}

impl Sink<JavaFrontend> for Page {
    fn begins(&mut self, method: &MethodRef) -> Result<(), String> {
        self.begin(method);
        Ok(())
    }

    fn failed(&mut self, _: &MethodRef, why: &str) -> Result<(), String> {
        self.fail(why);
        Ok(())
    }

    fn path(
        &mut self,
        method: &MethodRef,
        path: &PathEnd,
        test: Option<(TestId, &TestCase)>,
    ) -> Result<(), String> {
        self.add(method, path, test.map(|(id, _)| id));
        Ok(())
    }

    fn ends(&mut self, method: &MethodRef, end: &EntryEnd<'_, Java>) -> Result<(), String> {
        for finding in end.findings {
            let again = self.again.of(method, finding);
            self.finding(method, finding, &again);
        }
        self.end(end);
        Ok(())
    }
}

impl Section {
    fn render(&self, page: &mut String, names: &TestNames, is_open: bool) {
        let open = if is_open { " open" } else { "" };
        let _ = writeln!(
            page,
            "<details class=\"method\"{open}><summary><h3><code>{}</code></h3> <span>{}</span></summary>",
            escape(&self.name),
            escape(&self.ends)
        );
        if let Some(why) = &self.failed {
            let _ = writeln!(page, "<p class=\"lost\">not explored: {}</p>", escape(why));
        }
        for input in self.disagreements.iter().take(20) {
            let _ = writeln!(
                page,
                "<p class=\"lost\">invariant and check disagree: <code>{}</code></p>",
                escape(&clipped(input))
            );
        }
        page.push_str(&self.chances.render());
        if !self.rows.is_empty() {
            let tests = self.rows.iter().any(|row| names.of_test(row.test).is_some());
            let head = if tests { "<th>test</th>" } else { "" };
            let _ = writeln!(
                page,
                "<table><thead><tr><th class=\"n\">path</th><th>outcome</th><th>inputs</th>{head}\
                 <th>conditions</th></tr></thead><tbody>"
            );
            for row in &self.rows {
                page.push_str(&row.before);
                if tests {
                    let name = names.of_test(row.test).unwrap_or_default();
                    let _ = write!(page, "<td><code>{}</code></td>", escape(name));
                }
                page.push_str(&row.after);
            }
            page.push_str("</tbody></table>\n");
        }
        if self.left_out > 0 {
            let _ = writeln!(
                page,
                "<p class=\"note\">{} more paths have no row here; <code>--out</code> writes them all.</p>",
                self.left_out
            );
        }
        page.push_str("</details>\n");
    }
}

/// How a path ended, in words.
pub fn outcome(how: &How) -> String {
    let at = |place: &Option<evergreen_java::Place>| {
        place.as_ref().map(|place| format!(" at {place}")).unwrap_or_default()
    };
    match how {
        How::Returned(None) => "returns".into(),
        How::Returned(Some(value)) => format!("returns {}", values::java(value)),
        How::Threw { class, message, .. } => {
            let message = message.as_ref().map(|message| format!(": {message}")).unwrap_or_default();
            format!("throws {class}{message}")
        }
        How::Exited(status) => format!("exits with {status}"),
        How::Unsupported { what, place, help } => {
            let help = if help.is_empty() { String::new() } else { format!(" (help: {help})") };
            format!("unsupported: {what}{}{help}", at(place))
        }
        How::Cut(bound) => format!("cut by {}", bound.replace('_', " ")),
        How::Undecided { condition, place } => format!("undecided: {condition}{}", at(place)),
        How::Stuck(place) => format!("stuck{}: a bug of Evergreen's", at(place)),
    }
}

fn figure(picture: &Picture) -> String {
    format!("<div class=\"figure\">{}</div>", draw(picture, Frame::Inline))
}

/// Inputs that are no objects: those are drawn.
fn inputs(all: &[(String, evergreen_java::replay::JavaValue)]) -> String {
    let each: Vec<String> = all
        .iter()
        .filter(|(_, value)| !values::is_object(value))
        .map(|(name, value)| {
            format!("<code>{} = {}</code>", escape(name), escape(&clipped(&values::java(value))))
        })
        .collect();
    each.join(", ")
}

fn conditions(all: &[String]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let shown: Vec<String> = all
        .iter()
        .take(CONDITIONS)
        .map(|condition| format!("<li><code>{}</code></li>", escape(&clipped(condition))))
        .collect();
    let rest = all.len().saturating_sub(CONDITIONS);
    let rest = if rest > 0 { format!("<p class=\"note\">and {rest} more</p>") } else { String::new() };
    format!(
        "<details><summary>{} condition{}</summary><ol>{}</ol>{rest}</details>",
        all.len(),
        if all.len() == 1 { "" } else { "s" },
        shown.join("")
    )
}

/// A text that is not too long to be looked at.
fn clipped(text: &str) -> String {
    match text.char_indices().nth(LETTERS) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.into(),
    }
}

/// Text that can stand anywhere in HTML or XML, also within quotes. What neither may hold, or what turns the
/// order of letters around, is shown as U+FFFD.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if crate::say::is_active(c) => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests;
