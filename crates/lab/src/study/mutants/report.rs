//! The tables of `evergreen-lab study mutants`.

use super::{Fate, Outcome, Subject};
use crate::flags::MutantsStudy;
use crate::say::say;
use crate::study::explored::Counted;
use crate::study::table::{Row, markdown};
use serde_json::{Value, json};

/// Prints as the flags ask for it.
pub(super) fn print(flags: &MutantsStudy, subjects: &[Subject]) -> Result<(), String> {
    if flags.json {
        for subject in subjects {
            subject.outcomes.iter().for_each(|outcome| say(&to_json(subject, outcome).to_string()));
        }
    } else {
        say(body(subjects).trim_end());
    }
    for subject in subjects {
        for outcome in &subject.outcomes {
            if let Some(fault) = &outcome.fault {
                crate::say::warn(&format!("{} {}: {fault}", subject.name, outcome.line));
            }
        }
    }
    match &flags.out {
        Some(path) => crate::study::file::write(path, document(flags, subjects).as_bytes()),
        None => Ok(()),
    }
}

fn percent(part: f64, all: f64) -> String {
    if all == 0.0 { "-".into() } else { format!("{:.1}%", 100.0 * part / all) }
}

/// The share of solver calls that a run saves, of one without reuse.
pub(super) fn saved(outcome: &Outcome, run: usize) -> Option<f64> {
    let none = outcome.runs[0].calls;
    (none > 0).then(|| 1.0 - outcome.runs[run].calls as f64 / none as f64)
}

/// The middle one of some numbers.
fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied()
}

/// Solver calls and time.
fn reuse(subjects: &[Subject]) -> String {
    let head = [
        "subject",
        "mutants",
        "paths",
        "calls, no reuse",
        "store",
        "suite + store",
        "saved by store",
        "by both",
        "median",
        "time, no reuse",
        "store",
        "suite + store",
        "kept",
        "retired",
        "new",
        "cut",
    ];
    let mut rows: Vec<Row> = vec![head.map(String::from).to_vec()];
    let mut all: Vec<&Outcome> = Vec::new();
    for subject in subjects {
        let outcomes: Vec<&Outcome> = subject.outcomes.iter().collect();
        rows.push(reuse_row(&format!("{} {}", subject.name, subject.method), &outcomes));
        all.extend(outcomes);
    }
    rows.push(reuse_row("all", &all));
    markdown(&rows)
}

fn reuse_row(name: &str, outcomes: &[&Outcome]) -> Row {
    let mut runs: [Counted; 3] = Default::default();
    let mut update = (0, 0, 0);
    for outcome in outcomes {
        runs.iter_mut().zip(&outcome.runs).for_each(|(sum, run)| sum.add(run));
        let (kept, retired, new) = outcome.update;
        update = (update.0 + kept, update.1 + retired, update.2 + new);
    }
    let calls = runs.each_ref().map(|run| run.calls);
    let share = |left: u64| percent(calls[0] as f64 - left as f64, calls[0] as f64);
    let middle = median(outcomes.iter().filter_map(|outcome| saved(outcome, 2)).collect());
    let mut cells = vec![name.to_string(), outcomes.len().to_string(), runs[0].paths.to_string()];
    cells.extend(calls.map(|calls| calls.to_string()));
    cells.extend([share(calls[1]), share(calls[2]), middle.map_or("-".into(), |m| percent(m, 1.0))]);
    cells.extend(runs.each_ref().map(|run| format!("{:.1} s", run.time.as_secs_f64())));
    cells.extend([update.0, update.1, update.2].map(|number| number.to_string()));
    cells.push(outcomes.iter().filter(|outcome| outcome.is_cut).count().to_string());
    cells
}

/// How many mutants the tests of the originals kill.
fn score(subjects: &[Subject]) -> String {
    let head = [
        "subject",
        "tests",
        "mutants",
        "killed",
        "missed",
        "unknown",
        "equal",
        "score",
        "of those that are not equal",
    ];
    let mut rows: Vec<Row> = vec![head.map(String::from).to_vec()];
    let (mut tests, mut all) = (0, Vec::new());
    for subject in subjects {
        let outcomes: Vec<&Outcome> = subject.outcomes.iter().collect();
        rows.push(score_row(subject.name, subject.tests, &outcomes));
        tests += subject.tests;
        all.extend(outcomes);
    }
    rows.push(score_row("all", tests, &all));
    markdown(&rows)
}

fn score_row(name: &str, tests: usize, outcomes: &[&Outcome]) -> Row {
    let count = |name: &str| outcomes.iter().filter(|outcome| outcome.fate.name() == name).count();
    let [killed, missed, unknown, equal] = ["killed", "missed", "unknown", "equal"].map(count);
    let mut cells = vec![name.to_string()];
    cells.extend([tests, outcomes.len(), killed, missed, unknown, equal].map(|number| number.to_string()));
    cells.push(percent(killed as f64, outcomes.len() as f64));
    cells.push(percent(killed as f64, (outcomes.len() - equal) as f64));
    cells
}

/// Mutants that no test of the original kills although they are other programs, each with what shows it.
fn missed(subjects: &[Subject]) -> String {
    let mut text = String::new();
    for subject in subjects {
        for outcome in &subject.outcomes {
            if let Fate::Missed(why) = &outcome.fate {
                text += &format!("- {} {}: {why}\n", subject.name, outcome.line);
            }
        }
    }
    if text.is_empty() { "None.\n".into() } else { text }
}

fn body(subjects: &[Subject]) -> String {
    format!(
        "## Reuse\n\n{}\n## Mutation score\n\n{}\n## Missed\n\n{}",
        reuse(subjects),
        score(subjects),
        missed(subjects)
    )
}

fn document(flags: &MutantsStudy, subjects: &[Subject]) -> String {
    let only: String = flags.only.iter().map(|o| format!(" --only '{o}'")).collect();
    let most = flags.most.map(|most| format!(" --most {most}")).unwrap_or_default();
    let (mut made, mut all, mut idle) = (0, 0, 0);
    for subject in subjects {
        made += subject.outcomes.len();
        all += subject.all;
        idle += subject.idle;
    }
    let picture = match flags.svg.as_ref().and_then(|svg| svg.file_name()) {
        Some(name) => format!("![Solver calls and time per mutant]({})\n\n", name.to_string_lossy()),
        None => String::new(),
    };
    format!(
        "# Mutants\n\n\
         Made by `evergreen-lab study mutants{most}{only}`: {made} of {all} mutants of v0 of the subjects, \
         in lines\n\
         that the method runs ({idle} mutants are in others). Counts are the same on each run, but for\n\
         explorations that the clock cut; times are one machine's, which had other things to do.\n\n\
         Each mutant differs from its original in one instruction (`evergreen-lab mutate`) and is explored \
         three times without a native\n\
         core: without reuse, where every question is a solver call; with the store that exploring the \
         original has filled; and with that\n\
         store and the original's tests. The first and the last find the same paths, or the study fails. \
         `kept`, `retired` and `new` are what\n\
         the update of the suite does.\n\n\
         Mutation score: the original's tests run on the mutant, on the JVM. *Killed*: one ends otherwise, \
         or does not end. Those that survive\n\
         are compared with the original, every path with every path that shares inputs with it. *Missed*: \
         there is an input on which they differ, and\n\
         the JVM shows it. *Equal*: there is none, which is proved. *Unknown*: a bound cut the \
         comparison.\n\n{picture}{}",
        body(subjects)
    )
}

fn to_json(subject: &Subject, outcome: &Outcome) -> Value {
    let run = |run: &Counted| {
        json!({
            "paths": run.paths, "queries": run.queries, "by_tests": run.by_tests, "asked": run.asked,
            "by_store": run.by_store, "calls": run.calls, "time_ms": run.time.as_secs_f64() * 1e3,
        })
    };
    let [none, store, both] = outcome.runs.each_ref().map(run);
    let (kept, retired, new) = outcome.update;
    json!({
        "subject": subject.name, "mutant": outcome.manifest, "none": none, "store": store, "both": both,
        "kept": kept, "retired": retired, "new": new, "cut": outcome.is_cut, "fate": outcome.fate.name(),
        "why": outcome.fate.to_string(), "fault": outcome.fault,
    })
}
