//! The report on two versions: text, or JSON lines with `--json`.

use super::Compared;
use super::behave::{Behaviour, Difference};
use super::suite::SuiteTests;
use super::version::Version;
use super::versions::Versions;
use crate::again::{Given, OF_DIFFERENCE, Reproduced};
use crate::explore::programs::{CaseOf, LanguageOf, SourcesOf, WithinOf};
use crate::flags::Diff;
use crate::markdown;
use crate::say::{Foreign, Style, remark, say, say_json, say_styled, unwatch, warn, watch};
use evergreen_service::report::json::bounds;
use evergreen_service::report::{foreign_inputs, sarif};
use evergreen_service::{Affected, Changes, Entry, Format, Language, Within};
use serde_json::{Map, Value, json};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Differences of one method that are shown; the others are counted.
const MOST_OF_A_METHOD: usize = 5;
/// Progress is shown after this time.
const PATIENCE: Duration = Duration::from_secs(2);
const BETWEEN: Duration = Duration::from_millis(100);

/// Reports what is found.
pub(super) struct Report<'f, F: Versions> {
    flags: &'f Diff,
    given: &'f Given,
    names: (String, String),
    /// Where the sources of the new version are.
    sources: Vec<PathBuf>,
    /// The tests of the suite that may notice the change.
    suite: Option<&'f SuiteTests<F>>,
    /// File and first line of each function of the new version.
    declared: BTreeMap<F::Key, (String, u32)>,
    changes: Vec<String>,
    /// What sources of tests that pass on the old version depend on.
    test_sources: SourcesOf<F>,
    on_terminal: bool,
    next: Cell<Instant>,
}

impl<'f, F: Versions> Report<'f, F> {
    /// For these versions.
    pub(super) fn new(
        (flags, given): (&'f Diff, &'f Given),
        old: &Version<F>,
        new: &Version<F>,
        suite: Option<&'f SuiteTests<F>>,
    ) -> Report<'f, F> {
        Report {
            flags,
            given,
            names: (old.name.clone(), new.name.clone()),
            sources: new.sources.clone(),
            suite,
            declared: F::declared(&new.program),
            changes: Vec::new(),
            test_sources: F::test_sources(&old.program),
            on_terminal: std::io::stderr().is_terminal(),
            next: Cell::new(Instant::now() + PATIENCE),
        }
    }

    /// What changed.
    pub(super) fn changes(&mut self, changes: &Changes<F::Key>) {
        if self.flags.json {
            say_json(&changes_json(changes));
        }
        let mut lines = vec![format!(
            "{}, {} affected, {} added, {} removed, {} untouched",
            plural(changes.changed.len() as u64, LanguageOf::<F>::FUNCTION) + " changed",
            changes.affected.len(),
            changes.added.len(),
            changes.removed.len(),
            changes.unchanged
        )];
        let one = |word: &str, method: &F::Key| format!("  {word:<9} {}", Foreign(method));
        lines.extend(changes.changed.iter().map(|method| one("changed", method)));
        lines.extend(changes.added.iter().map(|method| one("added", method)));
        lines.extend(changes.removed.iter().map(|method| one("removed", method)));
        lines.extend(changes.others.iter().map(|what| format!("  {:<9} {}", "changed", Foreign(what))));
        let affected = |one: &Affected<F::Key>| {
            format!("  {:<9} {} (by {})", "affected", Foreign(&one.function), Foreign(&one.through))
        };
        lines.extend(changes.affected.iter().map(affected));
        // Where nothing is run, they are the result.
        let print = if self.flags.changes_only { say } else { remark };
        if !self.flags.json {
            lines.iter().for_each(|line| print(line));
        }
        self.changes = lines;
    }

    /// Shows progress on a terminal.
    pub(super) fn progress(&self, line: &str) {
        if self.on_terminal && Instant::now() >= self.next.get() {
            self.next.set(Instant::now() + BETWEEN);
            watch(&line);
        }
    }

    /// Wipes the line of progress.
    pub(super) fn quiet(&self) {
        if self.on_terminal {
            unwatch();
        }
    }

    /// Reports everything, writes the files, and returns how the command ends.
    pub(super) fn finish(
        &self,
        compared: &[Compared<F>],
        behaviour: &Behaviour<F>,
        elapsed: Duration,
        error: Option<String>,
    ) -> Result<ExitCode, String> {
        for (number, one) in compared.iter().enumerate() {
            let differences: Vec<&Difference<F>> =
                behaviour.differences.iter().filter(|found| found.method == number).collect();
            self.method(number, one, behaviour, &differences);
        }
        let last = self.last(compared, behaviour);
        match self.suite {
            Some(suite) if self.flags.json => say_json(&suite.json(&behaviour.tests)),
            Some(suite) => {
                suite.lines(&behaviour.tests).iter().for_each(|line| say(&Foreign(line).to_string()));
            }
            None => {}
        }
        if self.flags.json {
            say_json(&self.summary(compared, behaviour, elapsed));
        } else if !self.flags.changes_only {
            remark("");
            say(&format!("{last}, {:.2} s", elapsed.as_secs_f64()));
            if !compared.is_empty() {
                say(F::COMPARED);
            }
        }
        if let Some(file) = &self.flags.sarif {
            let notes = std::iter::once(last.clone()).chain(self.within(compared).left_out()).collect();
            let ran = sarif::Ran { succeeded: error.is_none(), notes };
            sarif::write(file, &sarif::log(&self.alerts(compared, behaviour), &ran))?;
        }
        if let Some(file) = &self.flags.markdown {
            markdown::append(file, &self.markdown(compared, behaviour, &last))?;
        }
        if let Some(folder) = &self.flags.out {
            let cases: Vec<CaseOf<F>> =
                behaviour.differences.iter().map(|found| found.case.clone()).collect();
            F::write_tests(folder, &cases, &self.test_sources)?;
        }
        if let Some(error) = error {
            return Err(error);
        }
        let all_failed = !compared.is_empty() && behaviour.compared.is_empty();
        let some_empty = compared.iter().any(|one| one.is_empty);
        Ok(ExitCode::from(match behaviour.differences.is_empty() {
            true if all_failed || some_empty => crate::COULD_NOT_RUN,
            true => 0,
            false => 1,
        }))
    }

    fn method(&self, number: usize, one: &Compared<F>, behaviour: &Behaviour<F>, found: &[&Difference<F>]) {
        if self.flags.json {
            say_json(&method_json(number, one, behaviour));
            for difference in found {
                say_json(&self.difference_json(one, difference));
            }
            return;
        }
        say_styled(Style::Heading, &Foreign(&one.method).to_string(), "");
        if let Some(why) = &one.failed {
            warn(&format!("{}: {why}", Foreign(&one.method)));
        }
        for difference in found.iter().take(MOST_OF_A_METHOD) {
            let rest = format!(
                " {} before, {} now ({})",
                Foreign(&difference.old),
                Foreign(&difference.new),
                plural(difference.count, "input")
            );
            say_styled(Style::Found, "  DIFFERS", &rest);
            if !difference.inputs.is_empty() {
                say(&format!("    inputs  {}", foreign_inputs::<LanguageOf<F>>(&difference.inputs)));
            }
            say(&format!("    again   {}", self.again(one, difference)));
        }
        if found.len() > MOST_OF_A_METHOD {
            let more = (found.len() - MOST_OF_A_METHOD) as u64;
            say(&format!("  and {more} more difference{}", if more == 1 { "" } else { "s" }));
        }
        say(&format!("  {}", verdict(number, one, behaviour, found.len())));
    }

    /// The command that reproduces a difference.
    fn again(&self, one: &Compared<F>, difference: &Difference<F>) -> String {
        F::again(self.given, &one.method, Reproduced::Values(&difference.inputs), &OF_DIFFERENCE)
    }

    /// The last word.
    fn last(&self, compared: &[Compared<F>], behaviour: &Behaviour<F>) -> String {
        let differing = compared
            .iter()
            .enumerate()
            .filter(|(number, _)| behaviour.differences.iter().any(|found| found.method == *number))
            .count();
        let run: u64 = behaviour.compared.values().sum();
        match behaviour.differences.len() as u64 {
            0 if compared.is_empty() => {
                format!("no public {} of both versions may behave differently", LanguageOf::<F>::FUNCTION)
            }
            0 => format!(
                "no difference in {}{}, {} run on both versions",
                plural(compared.len() as u64, LanguageOf::<F>::FUNCTION),
                self.within(compared).tail(" "),
                plural(run, "input")
            ),
            n => format!(
                "{} in {differing} of {}, {} run on both versions",
                plural(n, "difference"),
                plural(compared.len() as u64, LanguageOf::<F>::FUNCTION),
                plural(run, "input")
            ),
        }
    }

    /// The bounds that inputs of all methods have met.
    fn within(&self, compared: &[Compared<F>]) -> WithinOf<F> {
        let mut all = WithinOf::<F>::default();
        compared.iter().for_each(|one| all.add(&one.within));
        all
    }

    fn summary(&self, compared: &[Compared<F>], behaviour: &Behaviour<F>, elapsed: Duration) -> Value {
        let proved = |number: &usize| is_proved(*number, compared, behaviour);
        let is_whole = |number: &usize| compared[*number].within.is_everything();
        let is_complete = |one: &Compared<F>| one.lost.is_empty() && one.failed.is_none();
        let within = self.within(compared);
        json!({
            "event": "summary",
            "old": self.names.0,
            "new": self.names.1,
            "methods": compared.len(),
            "failed": compared.iter().filter(|one| one.failed.is_some()).count(),
            "empty": compared.iter().filter(|one| one.is_empty).count(),
            "proved": (0..compared.len()).filter(proved).filter(is_whole).count(),
            "proved_within": (0..compared.len()).filter(proved).filter(|number| !is_whole(number)).count(),
            "complete": within.is_everything() && compared.iter().all(is_complete),
            "bounds": bounds(&within),
            "within": within.words(),
            "inputs": behaviour.compared.values().sum::<u64>(),
            "unfit": behaviour.unfit.values().sum::<u64>(),
            "unstable": behaviour.unstable.values().sum::<u64>(),
            "differences": behaviour.differences.len(),
            "time_ms": elapsed.as_secs_f64() * 1e3,
        })
    }

    fn difference_json(&self, one: &Compared<F>, difference: &Difference<F>) -> Value {
        let inputs: Map<String, Value> = difference
            .inputs
            .iter()
            .map(|(name, value)| (name.clone(), LanguageOf::<F>::json(value)))
            .collect();
        json!({
            "event": "difference",
            "method": one.method.to_string(),
            "old": difference.old,
            "new": difference.new,
            "inputs": inputs,
            "count": difference.count,
            "again": self.again(one, difference),
        })
    }

    fn alerts(&self, compared: &[Compared<F>], behaviour: &Behaviour<F>) -> Vec<sarif::Alert> {
        let alert = |found: &Difference<F>| {
            let one = compared.get(found.method)?;
            let (key, (unit, function, signature)) = (F::key(&one.method), one.method.key());
            let at = self.declared.get(&key);
            let inputs = foreign_inputs::<LanguageOf<F>>(&found.inputs);
            let with = if inputs.is_empty() { String::new() } else { format!(" with {inputs}") };
            let (name, again) = (&one.method, self.again(one, found));
            Some(sarif::Alert {
                level: sarif::Level::Error,
                severity: None,
                rule: "behaviour-difference".into(),
                about: "The new version behaves differently for some input".into(),
                message: format!("{name} {} before, {} now{with}\n{again}", found.old, found.new),
                file: at.map(|(file, _)| F::source(&self.sources, &key, file)),
                line: at.map(|(_, line)| *line),
                function: name.to_string(),
                fingerprint: format!("{unit}.{function}{signature} {} then {}", found.old, found.new),
            })
        };
        shown(behaviour).into_iter().filter_map(alert).collect()
    }

    fn markdown(&self, compared: &[Compared<F>], behaviour: &Behaviour<F>, last: &str) -> String {
        let (old, new) = (markdown::code(&self.names.0), markdown::code(&self.names.1));
        let mut text = format!("## Evergreen: {old} to {new}\n\n{last}.\n\n");
        let rows: Vec<Vec<String>> = shown(behaviour)
            .into_iter()
            .filter_map(|found| {
                let one = compared.get(found.method)?;
                Some(vec![
                    markdown::code(&one.method.to_string()),
                    markdown::code(&found.old),
                    markdown::code(&found.new),
                    markdown::code(&foreign_inputs::<LanguageOf<F>>(&found.inputs)),
                    found.count.to_string(),
                ])
            })
            .collect();
        if !rows.is_empty() {
            text += &markdown::table(&[LanguageOf::<F>::FUNCTION, "before", "now", "with", "inputs"], &rows);
            text.push('\n');
        }
        for (number, one) in compared.iter().enumerate() {
            let found = behaviour.differences.iter().filter(|found| found.method == number).count();
            let said = verdict(number, one, behaviour, found);
            text += &format!("- {}: {}\n", markdown::code(&one.method.to_string()), markdown::plain(&said));
        }
        if let Some(suite) = self.suite {
            text += &format!("\n{}", markdown::block(&suite.lines(&behaviour.tests).join("\n")));
        }
        text += &format!("\n{}\n", F::COMPARED);
        text + "\n<details><summary>What changed</summary>\n\n"
            + &markdown::block(&self.changes.join("\n"))
            + "\n</details>\n\n"
    }
}

/// What is known of a method, and how far that goes.
fn verdict<F: Versions>(
    number: usize,
    one: &Compared<F>,
    behaviour: &Behaviour<F>,
    differences: usize,
) -> String {
    let of = |counts: &BTreeMap<usize, u64>| counts.get(&number).copied().unwrap_or(0);
    if let Some(why) = &one.failed {
        return format!("not compared: {}", why.lines().next().unwrap_or_default());
    }
    let run = of(&behaviour.compared);
    let paths = format!("{} and {} paths", one.paths.0, one.paths.1);
    let mut text = match differences {
        0 if one.is_proved() => {
            let pairs = one.pairs.map_or(0, |pairs| pairs.pairs);
            format!(
                "no difference: {paths} of both versions, and {} agree on all their inputs{}",
                plural(pairs, "pair"),
                one.within.tail(" ")
            )
        }
        0 if run == 0 && !one.lost.is_empty() => return format!("not compared: {}", one.lost.join(", ")),
        0 => format!(
            "no difference on any of {run} inputs of {paths} of both versions; \
             other inputs of these paths may differ"
        ),
        _ => format!("{run} inputs of {paths} of both versions"),
    };
    if let Some(pairs) = one.pairs.filter(|pairs| pairs.unknown + pairs.cut > 0) {
        text +=
            &format!("; {} of {} pairs of paths compared by their tests only", pairs.unknown, pairs.pairs);
        if pairs.cut > 0 {
            text += &format!(", {} not all explored", pairs.cut);
        }
    }
    if one.untested > 0 {
        text += &format!("; {} differ of which no test could be made", plural(one.untested, "pair"));
    }
    if of(&behaviour.unfit) > 0 {
        text += &format!("; {} fit one version only", plural(of(&behaviour.unfit), "input"));
    }
    if of(&behaviour.unstable) > 0 {
        text += &format!("; {} did something else each time", plural(of(&behaviour.unstable), "input"));
    }
    if !one.lost.is_empty() {
        text += &format!("; not all paths: {}", one.lost.join(", "));
    }
    if differences > 0 || !one.is_proved() {
        text += &one.within.tail("; ");
    }
    text
}

/// Whether no input that the method's bounds allow makes a difference.
fn is_proved<F: Versions>(number: usize, compared: &[Compared<F>], behaviour: &Behaviour<F>) -> bool {
    let found = behaviour.differences.iter().any(|found| found.method == number);
    !found && compared.get(number).is_some_and(Compared::is_proved)
}

/// The differences that files for people show: the smallest few of each method.
fn shown<F: Versions>(behaviour: &Behaviour<F>) -> Vec<&Difference<F>> {
    let mut of_method: BTreeMap<usize, usize> = BTreeMap::new();
    let mut all: Vec<&Difference<F>> = behaviour.differences.iter().collect();
    all.retain(|found| {
        let count = of_method.entry(found.method).or_insert(0);
        *count += 1;
        *count <= MOST_OF_A_METHOD
    });
    all
}

fn plural(n: u64, word: &str) -> String {
    format!("{n} {word}{}", if n == 1 { "" } else { "s" })
}

fn changes_json<K: ToString>(changes: &Changes<K>) -> Value {
    let names = |all: &[K]| all.iter().map(ToString::to_string).collect::<Vec<_>>();
    let affected: Vec<Value> = changes
        .affected
        .iter()
        .map(|one| json!({ "method": one.function.to_string(), "through": one.through }))
        .collect();
    json!({
        "event": "changes",
        "changed": names(&changes.changed),
        "added": names(&changes.added),
        "removed": names(&changes.removed),
        "classes": changes.others,
        "affected": affected,
        "unchanged": changes.unchanged,
    })
}

fn method_json<F: Versions>(number: usize, one: &Compared<F>, behaviour: &Behaviour<F>) -> Value {
    let of = |counts: &BTreeMap<usize, u64>| counts.get(&number).copied().unwrap_or(0);
    let pairs = one.pairs.map(|pairs| {
        json!({
            "pairs": pairs.pairs,
            "same": pairs.same,
            "differ": pairs.differ,
            "unknown": pairs.unknown,
            "cut": pairs.cut,
        })
    });
    let proved = one.is_proved() && behaviour.differences.iter().all(|found| found.method != number);
    json!({
        "event": "method",
        "method": one.method.to_string(),
        "old_paths": one.paths.0,
        "new_paths": one.paths.1,
        "inputs": of(&behaviour.compared),
        "unfit": of(&behaviour.unfit),
        "unstable": of(&behaviour.unstable),
        "pairs": pairs,
        "untested": one.untested,
        "lost": one.lost,
        "failed": one.failed,
        "proved": proved && one.within.is_everything(),
        "proved_within": one.within.words().filter(|_| proved && !one.within.is_everything()),
        "bounds": bounds(&one.within),
        "within": one.within.words(),
    })
}
