//! What a person (or a program, with `--json`) sees while and after methods are explored.

use super::again::Again;
use super::draw::Drawings;
use super::junit::Divergence;
use super::probability::Chances;
use super::totals::Totals;
use super::{json, lines, values};
use crate::flags::Explore;
use crate::say::{Foreign, Style, heading, remark, say, say_json, say_styled, unwatch, warn, watch};
use evergreen_java::replay::{JavaValue, TestCase};
use evergreen_java::report::{self, Shown};
use evergreen_java::{EntryEnd, Finding, Java, JavaFrontend, MethodRef, PathEnd, Run, Sink, Summary, TestId};
use std::io::IsTerminal;
use std::path::Path;

/// Reports what happens.
pub struct Report<'f> {
    flags: &'f Explore,
    on_terminal: bool,
    again: Again,
    /// How likely the paths of the method are.
    chances: Chances,
    /// The same in words, when all of its paths are known.
    likely: Option<String>,
}

impl<'f> Report<'f> {
    /// For these flags.
    pub fn new(flags: &'f Explore, again: Again) -> Report<'f> {
        let (chances, likely) = (Chances::default(), None);
        Report { flags, on_terminal: std::io::stderr().is_terminal(), again, chances, likely }
    }

    /// A method begins.
    fn say_begins(&mut self, method: &MethodRef) {
        if !self.flags.json {
            heading(&Foreign(method).to_string());
        }
    }

    /// A method cannot be explored.
    fn say_failed(&mut self, method: &MethodRef, why: &str) {
        if self.flags.json {
            say_json(&json::failed(method, why));
        }
        warn(&format!("{}: {why}", Foreign(method)));
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
    pub fn quiet(&self) {
        if self.on_terminal {
            unwatch();
        }
    }

    /// The end of a path.
    fn say_path(&mut self, method: &MethodRef, end: &PathEnd) {
        if self.flags.json {
            let mut line = Vec::new();
            let _ = lines::write(&mut line, method, end);
            say_json(&String::from_utf8_lossy(&line).trim_end());
            return;
        }
        let shown = if self.flags.verbose { Shown::All } else { Shown::Incomplete };
        let Some((text, help)) = report::path(end, shown) else { return };
        self.quiet();
        let help = if help.is_empty() { String::new() } else { format!("\n    help: {help}") };
        let likely =
            end.likelihood.as_ref().map(|l| format!("  p = {}", super::probability::decimal(&l.mass)));
        let text = format!("  {}{help}{}", Foreign(text), likely.unwrap_or_default());
        let inputs = report::whole_input(end);
        say(&if inputs.is_empty() { text } else { format!("{text}    [{}]", Foreign(inputs)) });
    }

    /// A finding.
    fn say_finding(&mut self, method: &MethodRef, finding: &Finding, again: &str) {
        if self.flags.json {
            say_json(&json::finding(method, finding, again));
            return;
        }
        let mut lines = report::finding(finding).into_iter();
        let first = lines.next().unwrap_or_default();
        say_styled(Style::Found, "  FOUND", &Foreign(first.trim_start_matches("FOUND")).to_string());
        lines.for_each(|line| say(&format!("  {}", Foreign(line))));
        say(&format!("    again   {again}"));
    }

    /// A method ends.
    fn say_ends(&mut self, end: &EntryEnd<'_, Java>) {
        for input in &end.done.tally.disagreements {
            warn(&format!("the invariant accepts what the class's own check refuses: {}", Foreign(input)));
        }
        if !self.flags.json {
            remark(&format!("  {}", Foreign(report::entry(end))));
        }
    }

    /// A method has no path, and why.
    fn say_empty(&mut self, method: &MethodRef, why: &str) {
        if self.flags.json {
            say(&json::empty(method, why).to_string());
        }
        warn(&format!("{method}: {why}"));
    }

    /// A test that the JVM took differently.
    pub fn divergence(&mut self, divergence: &Divergence) {
        if self.flags.json {
            say_json(&json::divergence(divergence));
            return;
        }
        say(&format!(
            "DIVERGENCE {} [{}]: {}\n  (a bug of Evergreen's, please report it)",
            Foreign(&divergence.test),
            shown_inputs(&divergence.inputs),
            Foreign(&divergence.what)
        ));
    }

    /// What was drawn and written for people.
    pub fn kept(&mut self, drawings: Option<&Drawings>, page: Option<&Path>) {
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
    pub fn summary(&mut self, totals: &Totals, out: Option<&Path>) {
        for wrong in &totals.wrong_models {
            warn(&format!(
                "a model did not hold when it was evaluated, please report this: {}",
                Foreign(wrong)
            ));
        }
        if self.flags.json {
            say_json(&json::summary(totals));
            return;
        }
        remark("");
        let mut lines = report::summary(&totals.sums).into_iter();
        say(&lines.next().unwrap_or_default());
        lines.for_each(|line| remark(&line));
        if let Some(coverage) = &totals.coverage {
            remark(&format!(
                "they cover {} of the lines and {} of the branches",
                coverage.lines(),
                coverage.branches()
            ));
        }
        if out.is_some() && totals.graphs.0 > 0 {
            remark(&format!(
                "{} with objects: public calls make those of {}, reflection the others",
                report::plural(totals.graphs.0, "test"),
                totals.graphs.1
            ));
        }
        if let (Some(update), Some(place)) = (&totals.suite, &self.flags.suite.suite) {
            let lines = update.lines(totals, place, self.flags.verbose);
            lines.iter().for_each(|line| remark(&Foreign(line).to_string()));
        }
        if let Some(out) = out {
            remark(&format!("tests, findings and paths are in {}", out.display()));
        }
    }
}

impl Sink<JavaFrontend> for Report<'_> {
    fn begins(&mut self, method: &MethodRef) -> Result<(), String> {
        (self.chances, self.likely) = (Chances::default(), None);
        self.say_begins(method);
        Ok(())
    }

    fn failed(&mut self, method: &MethodRef, why: &str) -> Result<(), String> {
        self.say_failed(method, why);
        Ok(())
    }

    fn progress(&mut self, method: &MethodRef) -> Option<Box<dyn FnMut(&Summary)>> {
        Some(Box::new(self.watching(method)))
    }

    fn path(
        &mut self,
        method: &MethodRef,
        path: &PathEnd,
        _: Option<(TestId, &TestCase)>,
    ) -> Result<(), String> {
        self.chances.path(path);
        self.say_path(method, path);
        Ok(())
    }

    fn found_all(&mut self, run: &mut Run<'_>) {
        self.likely = self.chances.ends(self.flags, run);
    }

    fn ends(&mut self, method: &MethodRef, end: &EntryEnd<'_, Java>) -> Result<(), String> {
        self.quiet();
        for finding in end.findings {
            let again = self.again.of(method, finding);
            self.say_finding(method, finding, &again);
        }
        if let Some(likely) = &self.likely {
            say(likely);
        }
        self.say_ends(end);
        if end.done.is_empty() {
            self.say_empty(method, &end.within.nothing_fits());
        }
        Ok(())
    }
}

/// Inputs in a line.
pub fn shown_inputs(inputs: &[(String, JavaValue)]) -> String {
    let each: Vec<String> = inputs
        .iter()
        .map(|(name, value)| format!("{} = {}", Foreign(name), Foreign(values::java(value))))
        .collect();
    each.join(", ")
}
