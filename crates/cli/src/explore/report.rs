//! What a person (or a program, with `--json`) sees while and after methods are explored.

use super::probability::wording;
use super::programs::{CaseOf, EntryOf};
use crate::flags::{BoundFlags, Explore};
use crate::say::{Foreign, Style, heading, remark, say, say_json, say_styled, unwatch, warn, watch};
use evergreen_service::report::chances::{Chances, decimal};
use evergreen_service::report::suite::{self, Listed};
use evergreen_service::report::{self, Again, JsonLines, RunEnd, Shown, foreign_inputs};
use evergreen_service::{
    Divergence, Entry, EntryEnd, Finding, Frontend, Language, PathEnd, Run, Sink, Summary, TestId, Within,
};
use std::io::{IsTerminal, Write};
use std::path::Path;

/// Failures of a method that were not looked for that are printed.
const MOST_NOTED: usize = 10;

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
pub(super) struct Report<'f, L: Language> {
    flags: &'f Explore,
    on_terminal: bool,
    again: Again<L>,
    /// What is printed with `--json`, in place of words.
    json: Option<JsonLines<L, JsonOut>>,
    /// How likely the paths of the method are.
    chances: Chances,
}

/// What was done so far, what is open, and what is left of the bounds of a whole exploration.
fn progress(summary: &Summary, bounds: &BoundFlags) -> String {
    let of = |most: u64| if most > 0 { format!(" of {most}") } else { String::new() };
    let mut line = format!("{}{} paths", summary.paths, of(bounds.paths));
    if summary.open > 0 {
        line += &format!(", {} open", summary.open);
    }
    line += &format!(", {} queries", summary.queries());
    line + &format!(", {}{} s", summary.elapsed.as_secs(), of(bounds.time.as_secs()))
}

impl<'f, L: Language> Report<'f, L> {
    /// For these flags.
    pub(super) fn new(flags: &'f Explore, again: Again<L>) -> Report<'f, L> {
        let json = flags.json.then(|| JsonLines::new(JsonOut, again.clone()));
        let on_terminal = std::io::stderr().is_terminal();
        Report { flags, on_terminal, again, json, chances: Chances::default() }
    }

    /// Shows progress on a terminal.
    fn watching(&self, entry: &L::Entry) -> impl FnMut(&Summary) + use<L> {
        let (watched, (_, name, _)) = (self.on_terminal, entry.key());
        let bounds = self.flags.exploring.inputs.bounds.clone();
        move |summary: &Summary| {
            if watched {
                watch(&format!("{name}: {}", progress(summary, &bounds)));
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
    fn say_path(&mut self, end: &PathEnd<L>) {
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
    fn say_finding(&mut self, entry: &L::Entry, finding: &Finding<L>) {
        let mut lines = report::finding(finding).into_iter();
        let first = lines.next().unwrap_or_default();
        say_styled(Style::Found, "  FOUND", &Foreign(first.trim_start_matches("FOUND")).to_string());
        lines.for_each(|line| say(&format!("  {}", Foreign(line))));
        if let Some(again) = self.again.of(entry, finding) {
            say(&format!("    again   {again}"));
        }
    }

    /// Failures that were not looked for: all of them with `--verbose`, else a few.
    fn say_noted(&mut self, noted: &[Finding<L>]) {
        let shown = if self.flags.verbose { noted.len() } else { noted.len().min(MOST_NOTED) };
        noted.iter().take(shown).for_each(|one| remark(&format!("  {}", Foreign(report::noted(one)))));
        if noted.len() > shown {
            remark(&format!("  and {} more (-v shows all)", noted.len() - shown));
        }
    }

    /// A test that its replay took differently.
    pub(super) fn divergence(&mut self, divergence: &Divergence<L>) {
        if let Some(json) = &mut self.json {
            // Standard output that takes no more is no reason to fail.
            let _ = json.divergence(divergence);
            return;
        }
        say(&format!(
            "DIVERGENCE {} [{}]: {}\n  (a bug of Evergreen's, please report it)",
            Foreign(L::called(&divergence.case)),
            foreign_inputs::<L>(&L::called_with(&divergence.case)),
            Foreign(&divergence.what)
        ));
    }

    /// What was written for people.
    pub(super) fn kept(&mut self, written: &[String], page: Option<&Path>) {
        if self.flags.json {
            return;
        }
        written.iter().for_each(|line| remark(line));
        if let Some(page) = page {
            remark(&format!("the report is {}", page.display()));
        }
    }

    /// The last word.
    pub(super) fn summary(&mut self, end: &RunEnd<'_, L>, out: Option<&Path>) {
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
        let facts = L::counted(totals).facts.into_iter().chain(end.more.facts.iter().cloned());
        lines.chain(facts).for_each(|line| remark(&line));
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
impl<F: Frontend> Sink<F> for Report<'_, F::Language> {
    fn begins(&mut self, entry: &EntryOf<F>) -> Result<(), String> {
        self.chances = Chances::default();
        match &mut self.json {
            Some(json) => Sink::<F>::begins(json, entry),
            None => {
                heading(&Foreign(entry).to_string());
                Ok(())
            }
        }
    }

    fn failed(&mut self, entry: &EntryOf<F>, why: &str) -> Result<(), String> {
        if let Some(json) = &mut self.json {
            Sink::<F>::failed(json, entry, why)?;
        }
        warn(&format!("{}: {why}", Foreign(entry)));
        Ok(())
    }

    fn progress(&mut self, entry: &EntryOf<F>) -> Option<Box<dyn FnMut(&Summary)>> {
        Some(Box::new(self.watching(entry)))
    }

    fn path(
        &mut self,
        entry: &EntryOf<F>,
        path: &PathEnd<F::Language>,
        test: Option<(TestId, &CaseOf<F>)>,
    ) -> Result<(), String> {
        if let Some(json) = &mut self.json {
            return Sink::<F>::path(json, entry, path, test);
        }
        self.chances.path(path);
        self.say_path(path);
        Ok(())
    }

    fn found_all(&mut self, run: &mut Run<'_, F>) {
        match &mut self.json {
            Some(json) => Sink::<F>::found_all(json, run),
            None => self.chances.found_all(run),
        }
    }

    fn ends(&mut self, entry: &EntryOf<F>, end: &EntryEnd<'_, F::Language>) -> Result<(), String> {
        self.quiet();
        match &mut self.json {
            Some(json) => Sink::<F>::ends(json, entry, end)?,
            None => {
                end.findings.iter().for_each(|finding| self.say_finding(entry, finding));
                self.say_noted(end.noted);
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
            warn(&format!("{entry}: {}", end.within.nothing_fits()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::exploring;
    use std::time::Duration;

    #[test]
    fn progress_says_what_is_open_and_what_is_left() {
        let mut summary = Summary { paths: 12, by_model: 30, open: 7, ..Summary::default() };
        summary.elapsed = Duration::from_millis(4_700);
        let mut bounds = exploring::Exploring::default().inputs.bounds;
        assert_eq!(progress(&summary, &bounds), "12 of 1000000 paths, 7 open, 30 queries, 4 of 60 s");
        (bounds.paths, bounds.time, summary.open) = (0, Duration::ZERO, 0);
        assert_eq!(progress(&summary, &bounds), "12 paths, 30 queries, 4 s");
    }
}
