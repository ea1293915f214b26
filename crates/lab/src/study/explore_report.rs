//! The tables of `evergreen-lab study explore`: for a terminal, for a document, for machines.

use super::explore::{Counted, LEVELS, Outcome, columns};
use super::table::{Row, markdown};
use crate::flags::ExploreStudy;
use crate::say::say;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Prints the outcome as the flags ask for it.
pub(super) fn print(flags: &ExploreStudy, outcomes: &[Outcome], faults: &[String]) -> Result<(), String> {
    if flags.json {
        say(&to_json(outcomes, faults).to_string());
    } else {
        say(&markdown(&calls(outcomes)));
        say(&markdown(&arms(outcomes)));
        say(markdown(&times(outcomes)).trim_end());
    }
    faults.iter().for_each(|fault| crate::say::warn(fault));
    match &flags.out {
        Some(path) => super::file::write(path, document(flags, outcomes).as_bytes()),
        None => Ok(()),
    }
}

/// How much of the calls of one level another one saves.
fn saved(more: u64, fewer: u64) -> String {
    if more == 0 {
        return "-".into();
    }
    format!("{:.0}%", 100.0 * more.saturating_sub(fewer) as f64 / more as f64)
}

fn at<'a>(outcome: &'a Outcome, level: &str) -> &'a Counted {
    let index = LEVELS.iter().position(|l| l.name == level).unwrap_or(0);
    &outcome.counted[index]
}

fn head(first: &[&str], last: &[&str]) -> Row {
    let levels = LEVELS.iter().map(|l| l.name);
    first.iter().copied().chain(levels).chain(last.iter().copied()).map(str::to_string).collect()
}

/// Solver calls, and what levels save, beside what the papers' tools save.
fn calls(outcomes: &[Outcome]) -> Vec<Row> {
    let last = ["green saves", "greentrie saves of that", "paper: Green", "paper: GreenTrie"];
    let mut rows = vec![head(&["subject", "paths", "queries", "path"], &last)];
    let mut sums = vec![0; LEVELS.len()];
    for outcome in outcomes {
        let first = &outcome.counted[0];
        let mut row = vec![outcome.subject.name.to_string()];
        row.extend([first.paths, first.queries, by_path(first)].map(|n| n.to_string()));
        row.extend(outcome.counted.iter().map(|c| c.calls.to_string()));
        sums.iter_mut().zip(&outcome.counted).for_each(|(sum, c)| *sum += c.calls);
        let [none, green, trie] = ["none", "green", "greentrie"].map(|name| at(outcome, name).calls);
        row.extend([saved(none, green), saved(green, trie)]);
        row.extend(match outcome.subject.paper {
            Some([none, green, trie]) => [saved(none, green), saved(green, trie)],
            None => ["".into(), "".into()],
        });
        rows.push(row);
    }
    let mut row = vec!["all".to_string(), String::new(), String::new(), String::new()];
    row.extend(sums.iter().map(u64::to_string));
    row.extend([saved(sums[0], sums[1]), saved(sums[1], sums[3]), "95%".into(), "41%".into()]);
    rows.push(row);
    rows
}

/// Arms that the path itself decides.
fn by_path(counted: &Counted) -> u64 {
    let column = columns().iter().position(|name| *name == "path");
    column.and_then(|place| counted.arms.get(place)).copied().unwrap_or_default()
}

/// The arms of all subjects by what decided them; columns without any are left out.
fn arms(outcomes: &[Outcome]) -> Vec<Row> {
    let sum = |level: usize, column: usize| -> u64 {
        outcomes.iter().filter_map(|o| o.counted[level].arms.get(column)).sum()
    };
    let names = columns();
    let used: Vec<usize> =
        (0..names.len()).filter(|&c| (0..LEVELS.len()).any(|level| sum(level, c) > 0)).collect();
    let mut head = vec!["arms".to_string(), "all".to_string()];
    head.extend(used.iter().map(|&c| names[c].to_string()));
    let mut rows = vec![head];
    for (at, level) in LEVELS.iter().enumerate() {
        let all: u64 = outcomes.iter().map(|o| o.counted[at].queries).sum();
        let mut row = vec![level.name.to_string(), all.to_string()];
        row.extend(used.iter().map(|&c| sum(at, c).to_string()));
        rows.push(row);
    }
    rows
}

fn times(outcomes: &[Outcome]) -> Vec<Row> {
    let mut rows = vec![head(&["seconds"], &[])];
    for outcome in outcomes {
        let mut row = vec![outcome.subject.name.to_string()];
        row.extend(outcome.counted.iter().map(|c| format!("{:.2}", c.time.as_secs_f64())));
        rows.push(row);
    }
    rows
}

fn document(flags: &ExploreStudy, outcomes: &[Outcome]) -> String {
    let only: String = flags.only.iter().map(|o| format!(" --only '{o}'")).collect();
    let solver = if flags.solver == "z3" { String::new() } else { format!(" --solver '{}'", flags.solver) };
    format!(
        "# Solver calls while the papers' subjects are explored\n\n\
         Made by `evergreen-lab study explore{solver}{only}`. Counts are the same on each run; times are \
         one machine's.\n\n\
         As in the papers both arms of every branch are asked, integers are unbounded, and nothing is \
         solved natively; each level begins\n\
         with an empty store. *green*, *klee* and *greentrie* are the papers' techniques exactly \
         (`--strict`), all three in Green's\n\
         canonical form, so that what GreenTrie saves of Green's calls (its R') is due to implication \
         alone. *exact* is exact reuse of our\n\
         canonical form, *subset* adds supersets and subsets, *logical* implication, *full* old models and \
         the rest of the ladder.\n\
         *default* is what a user gets: Java's integers, arms decided by models of their paths, the native \
         core; only what depends on\n\
         the clock is off. *paper* is what Green saved of all calls and GreenTrie of Green's, from \
         GreenTrie's Table 1 (their programs of\n\
         the same names, not these; their sums are over their own list).\n\n\
         *queries* are the arms at branches. Of these the *path* decides some: it has the condition already, \
         or its negation. The others\n\
         are asked, so without reuse *path* and *none* add up to *queries*. The second table has each arm \
         in one column.\n\n\
         Where programs repeat their conditions (TCAS, heaps, the arbiter, WBS) Green saves 69% to 100% of \
         the calls, in the papers 93% to 100%. Our search tree\n\
         compares keys once where the papers' compares them three times (3252 queries for the same 541 \
         paths), so there is less to save;\n\
         a path of Euclid hardly ever asks what another one asked.\n\n\
         ## Calls\n\n{}\n## Arms by what decided them\n\n{}\n## Time in seconds\n\n{}",
        markdown(&calls(outcomes)),
        markdown(&arms(outcomes)),
        markdown(&times(outcomes))
    )
}

fn to_json(outcomes: &[Outcome], faults: &[String]) -> Value {
    let level = |(level, counted): (&super::explore::Level, &Counted)| {
        json!({
            "level": level.name, "paths": counted.paths, "queries": counted.queries, "calls": counted.calls,
            "arms": columns().into_iter().zip(counted.arms.iter().copied()).collect::<BTreeMap<_, _>>(),
            "time_ms": counted.time.as_secs_f64() * 1e3,
        })
    };
    let subject = |outcome: &Outcome| {
        let levels: Vec<Value> = LEVELS.iter().zip(&outcome.counted).map(level).collect();
        json!({ "subject": outcome.subject.name, "levels": levels })
    };
    json!({ "subjects": outcomes.iter().map(subject).collect::<Vec<Value>>(), "faults": faults })
}
