//! What a person (or a program, with `--json`) sees while and after methods are explored.

use super::again::Again;
use super::draw::Drawings;
use super::junit::Divergence;
use super::probability::Chances;
use super::totals::{Totals, in_words};
use super::{json, lines, values};
use crate::flags::Explore;
use crate::say::{Foreign, Style, heading, remark, say, say_json, say_styled, unwatch, warn, watch};
use crate::within::Within;
use evergreen_java::jvm::InputBound;
use evergreen_java::replay::{JavaValue, TestCase};
use evergreen_java::{
    Bound, EntryEnd, Finding, How, Java, JavaFrontend, MethodRef, PathEnd, Run, Sink, Stop, Summary, Tally,
    TestId, Trouble,
};
use std::io::IsTerminal;
use std::path::Path;

/// Stops of a path that are shown.
const MOST_STOPS: usize = 24;

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
        let text = match &end.how {
            How::Unsupported { what, place, help } => {
                let at = at(place.as_ref());
                let help = if help.is_empty() { String::new() } else { format!("\n    help: {help}") };
                Some(format!("  unsupported: {}{at}{help}", Foreign(what)))
            }
            How::Undecided { condition, place } => {
                let at = at(place.as_ref());
                Some(format!("  undecided: {}{at}", Foreign(condition)))
            }
            How::Stuck(place) => {
                let at = at(place.as_ref());
                Some(format!(
                    "  stuck{at}: no arm is feasible (this is a bug of Evergreen's, please report it)"
                ))
            }
            How::Cut(bound) if self.flags.verbose => Some(format!("  cut by --{bound}")),
            How::Returned(value) if self.flags.verbose => {
                let value = value.as_ref().map_or(String::new(), |v| format!(" {}", values::java(v)));
                Some(format!("  {:>4}  returns{value}", end.number))
            }
            How::Threw { class, .. } if self.flags.verbose => {
                Some(format!("  {:>4}  throws {}", end.number, Foreign(class)))
            }
            How::Exited(status) if self.flags.verbose => {
                Some(format!("  {:>4}  exits with {status}", end.number))
            }
            _ => None,
        };
        if let Some(text) = text {
            self.quiet();
            let mut inputs = shown_inputs(&end.inputs);
            if !end.beyond.objects.is_empty() {
                inputs.push_str(if inputs.is_empty() { "" } else { "; " });
                inputs.push_str(&Foreign(values::shown_objects(&end.beyond.objects)).to_string());
            }
            let likely =
                end.likelihood.as_ref().map(|l| format!("  p = {}", super::probability::decimal(&l.mass)));
            let text = text + &likely.unwrap_or_default();
            say(&if inputs.is_empty() { text } else { format!("{text}    [{inputs}]") });
        }
    }

    /// A finding.
    fn say_finding(&mut self, method: &MethodRef, finding: &Finding, again: &str) {
        if self.flags.json {
            say_json(&json::finding(method, finding, again));
            return;
        }
        let message = finding.message().map(|m| format!(": {}", Foreign(m))).unwrap_or_default();
        let at = at(finding.place());
        let paths = if finding.paths == 1 { String::new() } else { format!(" ({} paths)", finding.paths) };
        say_styled(Style::Found, "  FOUND", &format!(" {}{message}{at}{paths}", Foreign(finding.class())));
        if !finding.end.inputs.is_empty() {
            say(&format!("    inputs  {}", shown_inputs(&finding.end.inputs)));
        }
        if !finding.end.beyond.objects.is_empty() {
            say(&format!("    objects {}", Foreign(values::shown_objects(&finding.end.beyond.objects))));
        }
        if !finding.end.stops.is_empty() {
            say(&format!("    path    {}", Foreign(route(&finding.end.stops))));
        }
        say(&format!("    again   {again}"));
    }

    /// A method ends.
    fn say_ends(&mut self, summary: &Summary, tally: &Tally, within: &Within, trouble: &Trouble) {
        for input in &tally.disagreements {
            warn(&format!("the invariant accepts what the class's own check refuses: {}", Foreign(input)));
        }
        if self.flags.json {
            return;
        }
        let plural = |n: u64, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
        let mut line = format!(
            "  {}, {}",
            plural(tally.paths, "path"),
            plural(summary.queries(), "query").replace("querys", "queries")
        );
        for (bound, count) in summary.cut.iter() {
            line += &format!("; {} cut {count}", named(bound));
        }
        for (bound, count) in &tally.cut {
            line += &format!("; {} cut {count}", bound.replace('_', " "));
        }
        if summary.undecided > 0 {
            line += &format!(
                "; {} undecided: {}",
                plural(summary.undecided, "arm"),
                Foreign(trouble.unknown.join("; "))
            );
        }
        if tally.unsupported > 0 {
            line += &format!("; {} unsupported", tally.unsupported);
        }
        if tally.doubtful > 0 {
            line += &format!("; for {} it is undecided whether a valid object takes them", tally.doubtful);
        }
        if tally.disagrees > 0 {
            line += &format!("; on {} invariant and check disagree", tally.disagrees);
        }
        if tally.invalid > 0 {
            line += &format!("; {} that no valid object takes", tally.invalid);
        }
        if within.by(InputBound::References) > 0 {
            line += "; some references of inputs only null";
        }
        remark(&(line + &within.tail("; ")));
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
        let plural = |n: u64, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
        let whole = totals.whole();
        remark("");
        say(&format!(
            "{} on {} of {}, {whole}, {:.2} s",
            plural(totals.findings, "finding"),
            plural(totals.paths, "path"),
            plural(totals.methods, "method"),
            totals.elapsed.as_secs_f64()
        ));
        totals.within.left_out().iter().for_each(|line| remark(line));
        remark(&totals.arms_in_words());
        let settling = totals.settling();
        if settling.solver > 0 {
            remark(&format!("{} of the solver more to settle inputs", plural(settling.solver, "call")));
        }
        if totals.shrinking.queries > 0 {
            remark(&format!(
                "{} more to make inputs of findings small: {}",
                plural(totals.shrinking.queries, "question"),
                in_words(&totals.shrinking.answered)
            ));
        }
        if totals.replayed > 0 {
            remark(&format!(
                "{} replayed on the JVM, {}",
                plural(totals.replayed, "test"),
                plural(totals.divergences, "divergence")
            ));
        }
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
                plural(totals.graphs.0, "test"),
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
    fn begins(&mut self, method: &MethodRef) {
        (self.chances, self.likely) = (Chances::default(), None);
        self.say_begins(method);
    }

    fn failed(&mut self, method: &MethodRef, why: &str) {
        self.say_failed(method, why);
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
        self.say_ends(&end.done.summary, &end.done.tally, end.within, end.trouble);
        if end.done.is_empty() {
            self.say_empty(method, &end.within.nothing_fits());
        }
        Ok(())
    }
}

/// ` at Account.withdraw(Account.java:10)`
fn at(place: Option<&evergreen_java::Place>) -> String {
    place.map(|place| format!(" at {}", Foreign(place))).unwrap_or_default()
}

/// Inputs in a line.
pub fn shown_inputs(inputs: &[(String, JavaValue)]) -> String {
    let each: Vec<String> = inputs
        .iter()
        .map(|(name, value)| format!("{} = {}", Foreign(name), Foreign(values::java(value))))
        .collect();
    each.join(", ")
}

/// A path in source lines: `Account.java:10 14 15 14 15 (3 times) 20`.
pub fn route(stops: &[Stop]) -> String {
    let mut words: Vec<(String, u32)> = Vec::new();
    let mut file = None;
    for stop in stops {
        let own = stop.place.file.as_deref().unwrap_or(&stop.place.unit);
        let line = stop
            .place
            .line
            .map_or_else(|| format!("{}+{}", stop.place.function, stop.place.offset), |l| l.to_string());
        let word = if file == Some(own) { line } else { format!("{own}:{line}") };
        match words.last_mut() {
            Some((last, times)) if file == Some(own) && last.rsplit(':').next() == Some(&word) => *times += 1,
            _ => words.push((word, 1)),
        }
        file = Some(own);
    }
    let left_out = words.len().saturating_sub(MOST_STOPS);
    let shown: Vec<String> = words
        .iter()
        .take(MOST_STOPS)
        .map(|(word, times)| if *times == 1 { word.clone() } else { format!("{word} ({times} times)") })
        .collect();
    let rest = if left_out > 0 { format!(" and {left_out} more") } else { String::new() };
    shown.join(" ") + &rest
}

/// What cut: a flag, or the user.
pub fn named(bound: Bound) -> String {
    match bound {
        Bound::Interrupt => "an interrupt".into(),
        bound => format!("--{}", bound.name()),
    }
}
