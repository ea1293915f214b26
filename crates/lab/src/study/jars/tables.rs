//! The tables: a row for each jar, and the reasons by how many methods have them.

use super::outcome::{Kind, Outcome};
use crate::flags::JarsStudy;
use crate::study::table::{Row, aligned, markdown};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Reasons that a page lists.
const MOST_REASONS: usize = 40;

/// Prints everything, and writes the page.
pub(super) fn report(
    flags: &JarsStudy,
    population: &[(String, usize)],
    all: &[Outcome],
) -> Result<(), String> {
    if flags.json {
        all.iter().for_each(|outcome| crate::say::say_json(&outcome.to_json()));
        crate::say::say_json(&sums_json(all));
    } else {
        crate::say::say(aligned(&rows(population, all)).trim_end());
        crate::say::say(&format!("\n{}", aligned(&parameters(all)).trim_end()));
        crate::say::say(&format!("\n{}", aligned(&reasons(all)).trim_end()));
        bad(all).iter().for_each(|line| crate::say::say(line));
    }
    match &flags.page {
        Some(file) => {
            std::fs::write(file, page(flags, population, all)).map_err(|e| format!("{}: {e}", file.display()))
        }
        None => Ok(()),
    }
}

/// A whole percentage, cut and not rounded: 100% means all.
fn percent(part: u64, all: u64) -> String {
    (part * 100).checked_div(all).map_or_else(|| "-".into(), |percent| format!("{percent}%"))
}

fn count(all: &[&Outcome], is_it: impl Fn(&Outcome) -> bool) -> u64 {
    all.iter().filter(|outcome| is_it(outcome)).count() as u64
}

/// The cells of some methods, without a name: how many, how many of each kind, and so on.
fn cells(all: &[&Outcome]) -> Row {
    let methods = all.len() as u64;
    let complete = count(all, |outcome| outcome.kind.is_complete());
    let mut row = vec![methods.to_string(), percent(complete, methods)];
    row.extend(Kind::EVERY.map(|kind| count(all, |outcome| outcome.kind == kind).to_string()));
    let sum = |of: fn(&Outcome) -> u64| all.iter().map(|outcome| of(outcome)).sum::<u64>();
    row.push(sum(|outcome| outcome.divergences).to_string());
    row.push(percent(sum(|outcome| outcome.branches.0), sum(|outcome| outcome.branches.1)));
    row.push(format!("{:.0}", all.iter().map(|outcome| outcome.seconds).sum::<f64>()));
    row
}

fn head(first: &[&str]) -> Row {
    let mut head: Row = first.iter().map(ToString::to_string).collect();
    head.extend(["methods", "complete"].map(String::from));
    head.extend(Kind::EVERY.map(|kind| kind.name().to_string()));
    head.extend(["diverged", "branches", "CPU s"].map(String::from));
    head
}

/// A row for each jar, then one for all.
fn rows(population: &[(String, usize)], all: &[Outcome]) -> Vec<Row> {
    let mut rows = vec![head(&["jar", "public"])];
    let mut row = |name: &str, public: usize, of: &[&Outcome]| {
        rows.push([vec![name.to_string(), public.to_string()], cells(of)].concat());
    };
    let mut total = 0;
    for (name, public) in population {
        let own: Vec<&Outcome> = all.iter().filter(|outcome| outcome.jar == *name).collect();
        if !own.is_empty() {
            row(name, *public, &own);
            total += public;
        }
    }
    row("all", total, &all.iter().collect::<Vec<_>>());
    rows
}

/// A row for methods with simple parameters, and one for the others.
fn parameters(all: &[Outcome]) -> Vec<Row> {
    let mut rows = vec![head(&["parameters"])];
    for (name, is_simple) in [("simple", true), ("other", false)] {
        let own: Vec<&Outcome> = all.iter().filter(|outcome| outcome.is_simple == is_simple).collect();
        rows.push([vec![name.to_string()], cells(&own)].concat());
    }
    rows
}

/// A reason without its numbers and what is particular to one place.
fn general(reason: &str) -> String {
    let mut text = String::new();
    for c in reason.chars().take(110) {
        match c.is_ascii_digit() {
            true if text.ends_with('N') => {}
            true => text.push('N'),
            false => text.push(c),
        }
    }
    text
}

/// How many methods have each reason; a method may have several.
fn counted(all: &[Outcome]) -> Vec<(String, u64, u64)> {
    let mut counted: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for outcome in all {
        let mut own: Vec<String> = outcome.reasons.iter().map(|reason| general(reason)).collect();
        own.dedup();
        for (at, reason) in own.into_iter().enumerate() {
            let (any, first) = counted.entry(reason).or_default();
            *any += 1;
            *first += u64::from(at == 0);
        }
    }
    let mut sorted: Vec<(String, u64, u64)> =
        counted.into_iter().map(|(reason, (any, first))| (reason, any, first)).collect();
    sorted.sort_by(|a, b| (b.1, b.2).cmp(&(a.1, a.2)).then_with(|| a.0.cmp(&b.0)));
    sorted
}

fn reasons(all: &[Outcome]) -> Vec<Row> {
    let mut rows = vec![["reason", "methods", "first"].map(String::from).to_vec()];
    for (reason, any, first) in counted(all).into_iter().take(MOST_REASONS) {
        rows.push(vec![reason, any.to_string(), first.to_string()]);
    }
    rows
}

/// The bounds of inputs within which methods are complete.
fn bounds(all: &[Outcome]) -> Vec<Row> {
    let mut counted: BTreeMap<&str, u64> = BTreeMap::new();
    for outcome in all.iter().filter(|outcome| outcome.kind == Kind::Within) {
        outcome.bounds.iter().for_each(|bound| *counted.entry(bound).or_default() += 1);
    }
    let mut sorted: Vec<(&str, u64)> = counted.into_iter().collect();
    sorted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    let mut rows = vec![["bound", "methods"].map(String::from).to_vec()];
    rows.extend(sorted.into_iter().map(|(bound, methods)| vec![format!("`{bound}`"), methods.to_string()]));
    rows
}

/// Divergences and crashes.
fn bad(all: &[Outcome]) -> Vec<String> {
    let bad = all.iter().filter(|outcome| outcome.is_bad());
    let line = |outcome: &Outcome| match outcome.divergences {
        0 => format!("CRASHED {}: {}", outcome.key(), outcome.reasons.join("; ")),
        some => format!("DIVERGED {}: {some} of {} tests", outcome.key(), outcome.replayed),
    };
    bad.map(line).collect()
}

fn sums_json(all: &[Outcome]) -> Value {
    let sums = |of: &[&Outcome]| {
        let kinds = Kind::EVERY
            .map(|kind| (kind.name().to_string(), json!(count(of, |outcome| outcome.kind == kind))));
        let sum = |field: fn(&Outcome) -> u64| of.iter().map(|outcome| field(outcome)).sum::<u64>();
        json!({
            "methods": of.len(), "complete": count(of, |outcome| outcome.kind.is_complete()),
            "kinds": Map::from_iter(kinds), "divergences": sum(|outcome| outcome.divergences),
            "covered": sum(|outcome| outcome.branches.0), "branches": sum(|outcome| outcome.branches.1),
        })
    };
    let simple: Vec<&Outcome> = all.iter().filter(|outcome| outcome.is_simple).collect();
    let reasons: Map<String, Value> =
        counted(all).into_iter().map(|(reason, any, _)| (reason, any.into())).collect();
    json!({
        "event": "sums", "all": sums(&all.iter().collect::<Vec<_>>()), "simple": sums(&simple),
        "reasons": reasons,
    })
}

/// The page of the study.
fn page(flags: &JarsStudy, population: &[(String, usize)], all: &[Outcome]) -> String {
    let sample = if flags.all { "--all".into() } else { format!("--sample {}", flags.sample) };
    let seconds = flags.time.as_secs_f64();
    let mut text = format!(
        "# Methods of Java libraries\n\n\
         Made by `evergreen-lab study jars {sample} --time {seconds}s --page docs/studies/jars.md`; the \
         jars are\n\
         Debian's (`scripts/setup.sh jars`).\n\n\
         Of each jar the study takes public methods of public classes, in an order that a hash of their \
         names\n\
         gives. Each is explored in a process of its own for {seconds} s of processor time, which includes \
         solvers,\n\
         the JVM and the replay of each path's test. No flags are given beyond these limits.\n\n\
         | column | methods |\n|---|---|\n\
         | public | all public methods of the jar |\n\
         | complete | share of `all` and `within` |\n\
         | all | each input takes one of the paths that were found |\n\
         | within | each input within the bounds of inputs that a table below names does |\n\
         | sampled | inputs were fixed where no solver can follow, or it depends on the clock or identity \
         hash codes |\n\
         | cut | paths were left at a bound, mostly time; or inputs of some class were only null |\n\
         | undecided | a solver gave up on an arm |\n\
         | unsupported | some path met something that the machine does not follow |\n\
         | failed | no input fits |\n\
         | crashed | no result: a bug |\n\n\
         `diverged` counts tests that the JVM took differently; each is a bug. `branches` is the share of \
         arms in the\nexplored methods' own code that the tests take on the JVM. A method that is several of \
         these \
         counts as the\nlast of the columns.\n\n## Results\n\n"
    );
    text += &markdown(&rows(population, all));
    text += "\nParameters are simple if they are primitives, strings, and arrays of these; receivers are not \
             looked at.\n\n";
    text += &markdown(&parameters(all));
    text += "\nBounds of the inputs within which methods are complete ([events and \
             JSON](../explore-events.md#the-summary)):\n\n";
    text += &markdown(&bounds(all));
    text += "\n## Why methods are not complete\n\nA method may have several reasons; `first` counts those \
             that have it before all others.\n\n";
    let rows = reasons(all).into_iter().map(|mut row| {
        row[0] = row[0].replace('|', "\\|");
        row
    });
    text += &markdown(&rows.collect::<Vec<_>>());
    let bad = bad(all);
    if !bad.is_empty() {
        let mut rows = vec![vec!["divergences and crashes".to_string()]];
        rows.extend(bad.into_iter().map(|line| vec![line]));
        text += "\n";
        text += &markdown(&rows);
    }
    text
}
