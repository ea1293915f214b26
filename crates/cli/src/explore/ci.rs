//! `--sarif` and `--markdown`: what continuous integration wants of a run.

use super::again::Again;
use super::json;
use super::report::shown_inputs;
use super::totals::{Explored, Totals};
use crate::flags::Explore;
use crate::{markdown, sarif};
use evergreen_java::{EntryEnd, Finding, Java, JavaFrontend, MethodRef, Program, Sink, report};
use std::collections::BTreeMap;

/// Findings that a summary shows.
const MOST_FINDINGS: usize = 50;

/// Findings as they come, for files that are written in the end.
pub struct Ci<'f> {
    flags: &'f Explore,
    program: &'f Program,
    again: Again,
    entries: Vec<sarif::Entry>,
    rows: Vec<Vec<String>>,
    /// How many findings share this part of a fingerprint: their order in the code distinguishes them.
    seen: BTreeMap<String, u32>,
}

impl<'f> Ci<'f> {
    /// None yet.
    pub fn new(flags: &'f Explore, program: &'f Program, again: Again) -> Ci<'f> {
        Ci { flags, program, again, entries: Vec::new(), rows: Vec::new(), seen: BTreeMap::new() }
    }

    fn finding(&mut self, method: &MethodRef, finding: &Finding, again: &str) {
        let (flags, classes) = (self.flags, self.program.classes());
        let is_own = |class: &str| classes.iter().any(|own| *own.name == *class);
        // An exception thrown in the JDK is shown where the program called the JDK.
        let thrown = finding.place().filter(|place| is_own(&place.unit));
        let place = thrown.or_else(|| finding.end.stops.iter().map(|s| &s.place).rfind(|p| is_own(&p.unit)));
        let declared = || sarif::declared_at(classes, &method.class, &method.name, &method.descriptor);
        let (class, file, line) = match place {
            Some(place) => (&*place.unit, place.file.as_ref().map(|f| f.to_string()), place.line),
            None => (&*method.class, declared().map(|at| at.0), declared().map(|at| at.1)),
        };
        let thrown_at = finding.place().map(sarif::stable).unwrap_or_default();
        let entry_point = format!("{}.{}", method.class, method.signature());
        let known = format!("{} in {thrown_at} from {entry_point}", finding.class());
        let number = self.seen.entry(known.clone()).or_insert(0);
        *number += 1;
        let message = finding.message().map(|m| format!(": {m}")).unwrap_or_default();
        let mut inputs = shown_inputs(&finding.end.inputs);
        if !finding.end.beyond.objects.is_empty() {
            inputs += if inputs.is_empty() { "" } else { "; " };
            inputs += &finding.end.beyond.shown();
        }
        let with = if inputs.is_empty() { String::new() } else { format!(" with {inputs}") };
        self.entries.push(sarif::Entry {
            rule: finding.class().to_string(),
            about: about(finding),
            message: format!("{method} throws {}{message}{with}\n{again}", finding.class()),
            file: file.map(|file| sarif::source_of(&flags.targets, class, &file)),
            line,
            method: method.to_string(),
            fingerprint: format!("{known} #{number}"),
        });
        let at = finding.place().map(ToString::to_string).unwrap_or_default();
        let exception = format!("{}{message}", finding.class());
        self.rows.push(vec![
            markdown::code(&method.to_string()),
            markdown::code(&exception),
            markdown::code(&at),
            if inputs.is_empty() { String::new() } else { markdown::code(&inputs) },
            finding.paths.to_string(),
        ]);
    }

    /// Writes the files that are wanted.
    pub fn finish(&self, totals: &Totals) -> Result<(), String> {
        let flags = self.flags;
        if let Some(file) = &flags.sarif {
            sarif::write(
                file,
                &self.entries,
                &sarif::Ran { succeeded: totals.error.is_none(), notes: notes(totals) },
            )?;
        }
        if let Some(file) = &flags.markdown {
            markdown::append(file, &self.text(totals))?;
        }
        Ok(())
    }

    fn text(&self, totals: &Totals) -> String {
        let verdict = match (totals.findings, totals.explored()) {
            (0, Explored::All) => "nothing found".to_string(),
            (0, Explored::Within) => format!("nothing found{}", totals.within.tail(" ")),
            (0, Explored::Part) => "nothing found so far".to_string(),
            (1, _) => "1 finding".to_string(),
            (n, _) => format!("{n} findings"),
        };
        let mut text = format!("## Evergreen: {verdict}\n\n");
        text += &format!(
            "{} paths of {} methods, {}; {:.1} s.\n\n",
            totals.paths,
            totals.methods,
            totals.whole(),
            totals.elapsed.as_secs_f64()
        );
        if !self.rows.is_empty() {
            let shown = &self.rows[..self.rows.len().min(MOST_FINDINGS)];
            text += &markdown::table(&["method", "throws", "at", "inputs", "paths"], shown);
            if self.rows.len() > MOST_FINDINGS {
                text += &format!("\nand {} more\n", self.rows.len() - MOST_FINDINGS);
            }
            text.push('\n');
        }
        let mut facts = vec![report::arms(&totals.sums)];
        if totals.settling().solver > 0 {
            facts.push(format!("{} calls of the solver more to settle inputs", totals.settling().solver));
        }
        if totals.replayed > 0 {
            facts.push(format!(
                "{} tests replayed on the JVM, {} divergences",
                totals.replayed, totals.divergences
            ));
        }
        if let Some(coverage) = &totals.coverage {
            let (lines, branches) = (coverage.lines(), coverage.branches());
            facts.push(format!("they cover {lines} of the lines and {branches} of the branches"));
        }
        facts.extend(totals.within.left_out());
        facts.extend(totals.error.iter().map(|error| format!("ended early: {}", markdown::code(error))));
        facts.extend(totals.reasons.iter().map(|reason| format!("undecided: {}", markdown::code(reason))));
        facts.iter().for_each(|fact| text += &format!("- {fact}\n"));
        text + "\n"
    }
}

impl Sink<JavaFrontend> for Ci<'_> {
    fn ends(&mut self, method: &MethodRef, end: &EntryEnd<'_, Java>) -> Result<(), String> {
        let mut all: Vec<&Finding> = end.findings.iter().collect();
        all.sort_by_key(|finding| finding.place().map(|place| place.offset));
        for finding in all {
            let again = self.again.of(method, finding);
            self.finding(method, finding, &again);
        }
        Ok(())
    }
}

/// How far the results go.
fn notes(totals: &Totals) -> Vec<String> {
    std::iter::once(totals.whole()).chain(totals.within.left_out()).collect()
}

fn about(finding: &Finding) -> String {
    match json::what(finding) {
        "assertion" => "An assertion of the program fails for some input".into(),
        "check" => "A check of a driver fails for some input".into(),
        _ => format!("{} leaves a method for some input", finding.class()),
    }
}
