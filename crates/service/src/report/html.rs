//! A run as one HTML file that needs nothing else: no script, no network, light and dark, on paper too.
//!
//! Everything that comes from the program (names, strings, messages) goes through [`escape`]. Rows are kept
//! as they come, up to a limit for each entry, and written at the end, when the tests have names and their
//! coverage is known.

mod numbers;
mod source;
mod style;
mod tree;

use super::{Again, RunEnd, TestNames, route};
use crate::exploration::EntryOf;
use crate::{Beyond, EntryEnd, Finding, Frontend, How, Language, PathEnd, Severity, Sink, TestId, Within};
use evergreen_explore::Place;
use evergreen_structures::text::is_active;
use evergreen_suite::Format;
use std::fmt::Write;
use style::PAGE;

pub use numbers::grouped;

/// Paths of one entry that have a row.
pub const ROWS: usize = 500;
/// Structures drawn in rows, of all entries; those of findings are drawn always.
pub const PICTURES: usize = 300;
/// Conditions of a path that are shown.
const CONDITIONS: usize = 200;
/// Failures that were not looked for that are listed of an entry.
const NOTED: usize = 50;
/// Letters of one text that are shown.
const LETTERS: usize = 4_000;

/// What a page says of the run itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct About {
    /// What was explored.
    pub title: String,
    /// The command that was run; may be empty.
    pub command: String,
    /// What writes every path, if a page shows only some: a flag.
    pub writes_all: Option<&'static str>,
}

/// How the objects of inputs are drawn, where a program can draw those of a language.
pub struct Pictures<L: Language> {
    /// The style sheet of the drawings.
    pub style: &'static str,
    /// Draws the objects of a path: markup that is well formed, with all texts escaped.
    pub draw: fn(&L::Entry, &PathEnd<L>) -> String,
}

/// The report.
pub struct Page<L: Language> {
    about: About,
    sections: Vec<Section>,
    findings: Vec<Row>,
    pictures: Option<Pictures<L>>,
    drawn: usize,
    again: Again<L>,
}

/// The report of one entry.
struct Section {
    name: String,
    rows: Vec<Row>,
    /// The path conditions with their probabilities.
    chances: tree::Tree,
    /// Paths without a row.
    left_out: u64,
    /// Paths and what cut them, in a line.
    ends: String,
    failed: Option<String>,
    /// Failures that were not looked for.
    noted: Vec<String>,
    /// Inputs on which an invariant and a class's own check disagree.
    disagreements: Vec<String>,
}

/// A path, or a finding: text before and after the name of its test.
struct Row {
    before: String,
    test: Option<TestId>,
    after: String,
}

impl<L: Language> Page<L> {
    /// An empty report; `again` reproduces findings. Objects are shown in a line of text.
    pub fn new(about: About, again: Again<L>) -> Page<L> {
        Page { about, sections: Vec::new(), findings: Vec::new(), pictures: None, drawn: 0, again }
    }

    /// Draws the objects of inputs.
    #[must_use]
    pub fn drawing(mut self, pictures: Pictures<L>) -> Page<L> {
        self.pictures = Some(pictures);
        self
    }

    /// An entry begins.
    fn begin(&mut self, entry: &L::Entry) {
        self.sections.push(Section {
            name: entry.to_string(),
            rows: Vec::new(),
            chances: tree::Tree::default(),
            left_out: 0,
            ends: String::new(),
            failed: None,
            noted: Vec::new(),
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
    fn add(&mut self, entry: &L::Entry, end: &PathEnd<L>, test: Option<TestId>) {
        let Some(section) = self.sections.last_mut() else { return };
        section.chances.path(end);
        if section.rows.len() >= ROWS {
            section.left_out += 1;
            return;
        }
        let number = if end.how.is_outcome() { end.number.to_string() } else { String::new() };
        let class = match &end.how {
            How::Returned(_) | How::Exited(_) => "fine",
            How::Threw { severity: Severity::Declared | Severity::Null, .. } => "noted",
            How::Threw { .. } => "found",
            _ => "lost",
        };
        let sampled = if end.sampled { " (sampled)" } else { "" };
        let mut before = format!(
            "<tr class=\"{class}\"><td class=\"n\">{number}</td><td>{}</td><td>{}",
            escape(&clipped(&format!("{}{sampled}", outcome(&end.how)))),
            inputs::<L>(&end.inputs)
        );
        let objects = end.beyond.objects();
        match &self.pictures {
            _ if objects == 0 => {}
            Some(pictures) if self.drawn < PICTURES => {
                self.drawn += 1;
                let _ = write!(
                    before,
                    "<details><summary>{objects} object{}</summary>{}</details>",
                    if objects == 1 { "" } else { "s" },
                    figure(&(pictures.draw)(entry, end))
                );
            }
            _ => before += &objects_in_line(end),
        }
        before += "</td>";
        let after = format!("<td>{}</td></tr>\n", conditions(&end.conditions));
        section.rows.push(Row { before, test, after });
    }

    /// A finding, its structure and the command that reproduces it.
    fn finding(&mut self, entry: &L::Entry, finding: &Finding<L>) {
        let message = finding.message().map(|m| format!(": {m}")).unwrap_or_default();
        let mut text = format!(
            "<article class=\"finding\"><h3>{}<span class=\"message\">{}</span></h3>\n<dl>\n",
            escape(finding.class()),
            escape(&clipped(&message))
        );
        let mut put = |name: &str, html: String| {
            let _ = writeln!(text, "<dt>{name}</dt><dd>{html}</dd>");
        };
        put(L::FUNCTION, format!("<code>{}</code>", escape(&entry.to_string())));
        put("severity", finding.severity().to_string());
        if let Some(place) = finding.place() {
            put("thrown at", format!("<code>{}</code>", escape(&place.to_string())));
        }
        let plain = inputs::<L>(&finding.end.inputs);
        if !plain.is_empty() {
            put("inputs", plain);
        }
        if finding.end.beyond.objects() > 0 {
            put(
                "objects",
                match &self.pictures {
                    Some(pictures) => figure(&(pictures.draw)(entry, &finding.end)),
                    None => objects_in_line(&finding.end),
                },
            );
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
        let again = self.again.of(entry, finding);
        let again = again.map(|again| format!("<dt>again</dt><dd><code>{}</code></dd>\n", escape(&again)));
        let after = format!("{}</dl></article>\n", again.unwrap_or_default());
        self.findings.push(Row { before: text, test: finding.test, after });
    }

    /// Failures that were not looked for, a line each.
    fn note(&mut self, noted: &[Finding<L>]) {
        let Some(section) = self.sections.last_mut() else { return };
        section.noted = noted.iter().map(super::noted).collect();
    }

    /// An entry ends.
    fn end(&mut self, end: &EntryEnd<'_, L>) {
        let Some(section) = self.sections.last_mut() else { return };
        let (summary, tally) = (&end.done.summary, &end.done.tally);
        section.ends = numbers::entry_line(summary, tally, end.within);
        section.disagreements.clone_from(&tally.disagreements);
        if end.done.is_empty() {
            section.failed = Some(end.within.nothing_fits());
        }
    }

    /// The page; `names` are those of tests in sources, if some were written.
    pub fn render(&self, end: &RunEnd<'_, L>, names: &TestNames) -> String {
        let title = escape(&self.about.title);
        let mut page = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" \
             content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}: explored</title>\n<style>\n{PAGE}{}</style>\n</head>\n<body>\n\
             <h1>{title}</h1>\n",
            self.pictures.as_ref().map_or("", |pictures| pictures.style)
        );
        if !self.about.command.is_empty() {
            let _ = writeln!(page, "<p class=\"command\"><code>{}</code></p>", escape(&self.about.command));
        }
        page += &numbers::verdict(end.totals);
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
        page += &numbers::divergences::<L>(end.divergences);
        page += &numbers::numbers(end);
        page += &source::sources(end.more.sources.iter().chain(&L::counted(end.totals).sources));
        let (first, rest) = L::FUNCTION.split_at(L::FUNCTION.chars().next().map_or(0, char::len_utf8));
        let heading = format!("{}{rest}s", first.to_uppercase());
        let _ = writeln!(page, "<h2 id=\"{}s\">{}</h2>", escape(L::FUNCTION), escape(&heading));
        for section in &self.sections {
            section.render(&mut page, names, &self.about, self.sections.len() <= 3);
        }
        page += "</body>\n</html>\n";
        page
    }
}

impl<F: Frontend> Sink<F> for Page<F::Language> {
    fn begins(&mut self, entry: &EntryOf<F>) -> Result<(), String> {
        self.begin(entry);
        Ok(())
    }

    fn failed(&mut self, _: &EntryOf<F>, why: &str) -> Result<(), String> {
        self.fail(why);
        Ok(())
    }

    fn path(
        &mut self,
        entry: &EntryOf<F>,
        path: &PathEnd<F::Language>,
        test: Option<(TestId, &<F::Language as Format>::Case)>,
    ) -> Result<(), String> {
        self.add(entry, path, test.map(|(id, _)| id));
        Ok(())
    }

    fn ends(&mut self, entry: &EntryOf<F>, end: &EntryEnd<'_, F::Language>) -> Result<(), String> {
        end.findings.iter().for_each(|finding| self.finding(entry, finding));
        self.note(end.noted);
        self.end(end);
        Ok(())
    }
}

impl Section {
    fn render(&self, page: &mut String, names: &TestNames, about: &About, is_open: bool) {
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
        for line in self.noted.iter().take(NOTED) {
            let _ = writeln!(page, "<p class=\"note\"><code>{}</code></p>", escape(&clipped(line)));
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
            let flag =
                about.writes_all.map(|flag| format!("; <code>{}</code> writes them all", escape(flag)));
            let _ = writeln!(
                page,
                "<p class=\"note\">{} more paths have no row here{}.</p>",
                self.left_out,
                flag.unwrap_or_default()
            );
        }
        page.push_str("</details>\n");
    }
}

/// How a path ended, in words.
pub fn outcome<L: Language>(how: &How<L>) -> String {
    let at = |place: &Option<Place>| place.as_ref().map(|place| format!(" at {place}")).unwrap_or_default();
    match how {
        How::Returned(None) => "returns".into(),
        How::Returned(Some(value)) => format!("returns {}", L::show(value)),
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

fn figure(drawing: &str) -> String {
    format!("<div class=\"figure\">{drawing}</div>")
}

/// The objects of an input, where they are not drawn.
fn objects_in_line<L: Language>(end: &PathEnd<L>) -> String {
    format!("<code>{}</code>", escape(&clipped(&end.beyond.show())))
}

/// Inputs that are no objects: those are shown apart.
fn inputs<L: Language>(all: &[(String, L::Value)]) -> String {
    let each: Vec<String> = all
        .iter()
        .filter(|(_, value)| !L::is_object(value))
        .map(|(name, value)| format!("<code>{} = {}</code>", escape(name), escape(&clipped(&L::show(value)))))
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
            c if is_active(c) => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_between_letters() {
        assert_eq!(clipped("ab"), "ab");
        let long = "é".repeat(LETTERS + 1);
        assert_eq!(clipped(&long).chars().count(), LETTERS + 1);
        assert!(clipped(&long).ends_with('…'));
        assert_eq!(escape("a<b & 'c' \"d\"\r"), "a&lt;b &amp; &#39;c&#39; &quot;d&quot;\u{fffd}");
    }
}
