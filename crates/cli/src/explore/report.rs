//! What a person (or a program, with `--json`) sees while and after methods are explored.

use super::draw::Drawings;
use super::probability::wording;
use crate::flags::Explore;
use crate::say::{Foreign, Style, heading, remark, say, say_json, say_styled, unwatch, warn, watch};
use evergreen_java::replay::TestCase;
use evergreen_java::report::chances::{Chances, decimal};
use evergreen_java::report::suite::{self, Listed};
use evergreen_java::report::{self, Again, JsonLines, RunEnd, Shown, foreign_inputs};
use evergreen_java::{
    Divergence, EntryEnd, Finding, Java, JavaFrontend, Language, MethodRef, PathEnd, Run, Sink, Summary,
    TestId,
};
use std::io::{IsTerminal, Write};
use std::path::Path;

/// Lines of JSON on standard output, as a terminal may have them.
struct JsonOut;

impl Write for JsonOut {
    fn write(&mut self, lines: &[u8]) -> std::io::Result<usize> {
        say_json(&String::from_utf8_lossy(lines).trim_end());
        Ok(lines.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Reports what happens.
pub(super) struct Report<'f> {
    flags: &'f Explore,
    on_terminal: bool,
    again: Again<Java>,
    /// What is printed with `--json`, in place of words.
    json: Option<JsonLines<Java, JsonOut>>,
    /// How likely the paths of the method are.
    chances: Chances,
}

impl<'f> Report<'f> {
    /// For these flags.
    pub(super) fn new(flags: &'f Explore, again: Again<Java>) -> Report<'f> {
        let json = flags.json.then(|| JsonLines::new(JsonOut, again.clone()));
        let on_terminal = std::io::stderr().is_terminal();
        Report { flags, on_terminal, again, json, chances: Chances::default() }
    }

    /// Shows progress on a terminal.
    fn watching(&self, method: &MethodRef) -> impl FnMut(&Summary) + 'static {
        let (watched, name) = (self.on_terminal, method.name.clone());
        move |summary: &Summary| {
            if watched {
                let Summary { paths, instructions, .. } = summary;
                let queries = summary.queries();
                let line = format!("{name}: {paths} paths, {queries} queries, {instructions} instructions");
                watch(&line);
            }
        }
    }

    /// Wipes the line of progress.
    pub(super) fn quiet(&self) {
        if self.on_terminal {
            unwatch();
        }
    }

    /// The end of a path.
    fn say_path(&mut self, end: &PathEnd) {
        let shown = if self.flags.verbose { Shown::All } else { Shown::Incomplete };
        let Some((text, help)) = report::path(end, shown) else { return };
        self.quiet();
        let help = if help.is_empty() { String::new() } else { format!("\n    help: {help}") };
        let likely = end.likelihood.as_ref().map(|l| format!("  p = {}", decimal(&l.mass)));
        let text = format!("  {}{help}{}", Foreign(text), likely.unwrap_or_default());
        let inputs = report::whole_input(end);
        say(&if inputs.is_empty() { text } else { format!("{text}    [{}]", Foreign(inputs)) });
    }

    /// A finding.
    fn say_finding(&mut self, method: &MethodRef, finding: &Finding) {
        let mut lines = report::finding(finding).into_iter();
        let first = lines.next().unwrap_or_default();
        say_styled(Style::Found, "  FOUND", &Foreign(first.trim_start_matches("FOUND")).to_string());
        lines.for_each(|line| say(&format!("  {}", Foreign(line))));
        if let Some(again) = self.again.of(method, finding) {
            say(&format!("    again   {again}"));
        }
    }

    /// A test that the JVM took differently.
    pub(super) fn divergence(&mut self, divergence: &Divergence) {
        if let Some(json) = &mut self.json {
            // Standard output that takes no more is no reason to fail.
            let _ = json.divergence(divergence);
            return;
        }
        say(&format!(
            "DIVERGENCE {} [{}]: {}\n  (a bug of Evergreen's, please report it)",
            Foreign(Java::called(&divergence.case)),
            foreign_inputs::<Java>(&Java::called_with(&divergence.case)),
            Foreign(&divergence.what)
        ));
    }

    /// What was drawn and written for people.
    pub(super) fn kept(&mut self, drawings: Option<&Drawings>, page: Option<&Path>) {
        if self.flags.json {
            return;
        }
        if let Some(drawings) = drawings {
            remark(&drawings.told());
        }
        if let Some(page) = page {
            remark(&format!("the report is {}", page.display()));
        }
    }

    /// The last word.
    pub(super) fn summary(&mut self, end: &RunEnd<'_, Java>, out: Option<&Path>) {
        let totals = end.totals;
        for wrong in &totals.wrong_models {
            warn(&format!(
                "a model did not hold when it was evaluated, please report this: {}",
                Foreign(wrong)
            ));
        }
        if let Some(json) = self.json.take() {
            let _ = json.finish(end);
            return;
        }
        remark("");
        let mut lines = report::summary(totals).into_iter();
        say(&lines.next().unwrap_or_default());
        lines.chain(end.more.facts.iter().cloned()).for_each(|line| remark(&line));
        if out.is_some() && totals.graphs.0 > 0 {
            remark(&format!(
                "{} with objects: public calls make those of {}, reflection the others",
                report::plural(totals.graphs.0, "test"),
                totals.graphs.1
            ));
        }
        if let (Some(update), Some(place)) = (end.suite, &self.flags.suite.suite) {
            let listed = if self.flags.verbose { Listed::All } else { Listed::First("-v shows all") };
            let lines = suite::lines(update, totals, place, listed);
            lines.iter().for_each(|line| remark(&Foreign(line).to_string()));
        }
        if let Some(out) = out {
            remark(&format!("tests, findings and paths are in {}", out.display()));
        }
    }
}

/// The words of a run, or its events; warnings are for people in both cases.
impl Sink<JavaFrontend> for Report<'_> {
    fn begins(&mut self, method: &MethodRef) -> Result<(), String> {
        self.chances = Chances::default();
        match &mut self.json {
            Some(json) => Sink::<JavaFrontend>::begins(json, method),
            None => {
                heading(&Foreign(method).to_string());
                Ok(())
            }
        }
    }

    fn failed(&mut self, method: &MethodRef, why: &str) -> Result<(), String> {
        if let Some(json) = &mut self.json {
            Sink::<JavaFrontend>::failed(json, method, why)?;
        }
        warn(&format!("{}: {why}", Foreign(method)));
        Ok(())
    }

    fn progress(&mut self, method: &MethodRef) -> Option<Box<dyn FnMut(&Summary)>> {
        Some(Box::new(self.watching(method)))
    }

    fn path(
        &mut self,
        method: &MethodRef,
        path: &PathEnd,
        test: Option<(TestId, &TestCase)>,
    ) -> Result<(), String> {
        if let Some(json) = &mut self.json {
            return Sink::<JavaFrontend>::path(json, method, path, test);
        }
        self.chances.path(path);
        self.say_path(path);
        Ok(())
    }

    fn found_all(&mut self, run: &mut Run<'_>) {
        match &mut self.json {
            Some(json) => Sink::<JavaFrontend>::found_all(json, run),
            None => self.chances.found_all(run),
        }
    }

    fn ends(&mut self, method: &MethodRef, end: &EntryEnd<'_, Java>) -> Result<(), String> {
        self.quiet();
        match &mut self.json {
            Some(json) => Sink::<JavaFrontend>::ends(json, method, end)?,
            None => {
                end.findings.iter().for_each(|finding| self.say_finding(method, finding));
                let likely = self.chances.lines(&wording(self.flags), end.within);
                if !likely.is_empty() {
                    say(&likely.join("\n"));
                }
            }
        }
        for input in &end.done.tally.disagreements {
            warn(&format!("the invariant accepts what the class's own check refuses: {}", Foreign(input)));
        }
        if self.json.is_none() {
            remark(&format!("  {}", Foreign(report::entry(end))));
        }
        if end.done.is_empty() {
            warn(&format!("{method}: {}", end.within.nothing_fits()));
        }
        Ok(())
    }
}
