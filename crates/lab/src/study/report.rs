//! The study's tables: for a terminal, for a document, for machines.

use super::run::{Outcome, Run};
use super::technique::Verdict;
use crate::flags::{StreamsStudy, TechniqueName};
use crate::say::say;
use evergreen::Rung;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::time::Duration;

/// Prints the outcome as the flags ask for it.
pub(super) fn print(flags: &StreamsStudy, outcomes: &[Outcome], faults: &[String]) -> Result<(), String> {
    if flags.json {
        say(&to_json(outcomes, faults).to_string());
    } else {
        say(tables(outcomes).trim_end());
    }
    for fault in faults.iter().take(20) {
        crate::say::warn(fault);
    }
    if let Some(path) = &flags.out {
        super::file::write(path, document(flags, outcomes).as_bytes())?;
    }
    Ok(())
}

fn micros(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1e3
}

fn total(run: &Run) -> Duration {
    run.replay.times.iter().sum()
}

fn mean(run: &Run) -> f64 {
    micros(total(run)) / run.replay.times.len().max(1) as f64
}

fn median(run: &Run) -> f64 {
    let mut times = run.replay.times.clone();
    times.sort_unstable();
    times.get(times.len() / 2).map_or(0.0, |t| micros(*t))
}

/// How much of the time of `stack` with the same solver this took.
fn ratio(outcome: &Outcome, run: &Run) -> Option<f64> {
    let stack =
        outcome.runs.iter().find(|r| r.technique == TechniqueName::Stack && r.solver == run.solver)?;
    let stack = total(stack).as_secs_f64();
    (stack > 0.0).then(|| total(run).as_secs_f64() / stack)
}

/// The rungs that any technique used, in the order of the ladder.
fn rungs(outcomes: &[Outcome]) -> Vec<&'static str> {
    let mut found: Vec<&'static str> = Vec::new();
    for (rung, count) in outcomes.iter().flat_map(|o| &o.runs).flat_map(|r| &r.replay.counts.reused) {
        if *count > 0 && !found.contains(rung) {
            found.push(rung);
        }
    }
    found.sort_by_key(|name| Rung::ALL.iter().position(|r| r.name() == *name));
    found
}

/// Every row of a table, the head first.
fn rows(outcome: &Outcome, rungs: &[&'static str]) -> Vec<Vec<String>> {
    let mut head: Vec<String> = ["technique", "solver", "calls", "native"].map(str::to_string).to_vec();
    head.extend(rungs.iter().map(|r| r.to_string()));
    head.extend(["µs mean", "µs median", "total ms", "of stack"].map(str::to_string));
    let mut rows = vec![head];
    for run in &outcome.runs {
        let reused =
            |rung: &str| run.replay.counts.reused.iter().find(|(r, _)| *r == rung).map_or(0, |(_, n)| *n);
        let mut row = vec![run.technique.name().to_string(), run.solver.clone()];
        row.extend([run.replay.counts.calls, run.replay.counts.native].map(|n| n.to_string()));
        row.extend(rungs.iter().map(|r| reused(r).to_string()));
        row.extend([mean(run), median(run)].map(|t| format!("{t:.1}")));
        row.push(format!("{:.1}", total(run).as_secs_f64() * 1e3));
        row.push(ratio(outcome, run).map_or(String::new(), |r| format!("{r:.3}")));
        rows.push(row);
    }
    rows
}

fn deepest(outcome: &Outcome) -> usize {
    outcome.runs.first().map_or(0, |r| r.replay.deepest)
}

fn headline(outcome: &Outcome) -> String {
    let queries = outcome.runs.first().map_or(0, |r| r.replay.verdicts.len());
    format!(
        "{}: {queries} queries, {} sat, {} unsat, at most {} constraints",
        outcome.name,
        outcome.count(Verdict::Sat),
        outcome.count(Verdict::Unsat),
        deepest(outcome)
    )
}

fn tables(outcomes: &[Outcome]) -> String {
    let rungs = rungs(outcomes);
    let mut text = String::new();
    for outcome in outcomes {
        let rows = rows(outcome, &rungs);
        let widths: Vec<usize> = (0..rows[0].len())
            .map(|c| rows.iter().map(|r| r[c].chars().count()).max().unwrap_or(0))
            .collect();
        let _ = writeln!(text, "{}", headline(outcome));
        for row in &rows {
            for (column, cell) in row.iter().enumerate() {
                let pad = " ".repeat(widths[column] - cell.chars().count());
                let _ =
                    if column < 2 { write!(text, "  {cell}{pad}") } else { write!(text, "  {pad}{cell}") };
            }
            text.push('\n');
        }
        text.push('\n');
    }
    text
}

fn document(flags: &StreamsStudy, outcomes: &[Outcome]) -> String {
    let mut text = String::from("# Techniques over streams of path queries\n\n");
    let names: Vec<String> = flags.files.iter().map(|f| f.display().to_string()).collect();
    let solvers: String = flags.solvers.iter().map(|s| format!(" --solver {s}")).collect();
    let rounds = if flags.rounds > 1 { format!(" --rounds {}", flags.rounds) } else { String::new() };
    let first = flags.first.map_or(String::new(), |n| format!(" --first {n}"));
    let models = if flags.models == crate::flags::OnOff::On { "" } else { " --models off" };
    let _ = writeln!(
        text,
        "Made by `evergreen-lab study streams{solvers}{first}{rounds}{models} {}`.\n\n\
         Counts are the same on each run; times are one machine's, all taken in one run. *calls* are \
         questions that a \
         solver process answered, *native* those that were solved without one, then come answers without \
         solving, by \
         rung of the ladder (a query can have several parts). *of stack* is the total time relative to \
         `stack` with \
         the same solver. Each technique's own matching, printing and reading is included, starting \
         processes is \
         not. All verdicts are equal, and every model was evaluated.",
        names.join(" ")
    );
    let rungs = rungs(outcomes);
    for outcome in outcomes {
        let _ = writeln!(text, "\n## {}\n", headline(outcome));
        for (i, row) in rows(outcome, &rungs).iter().enumerate() {
            let _ = writeln!(text, "| {} |", row.join(" | "));
            if i == 0 {
                let _ = writeln!(text, "|---|---|{}", "--:|".repeat(row.len() - 2));
            }
        }
    }
    text
}

fn to_json(outcomes: &[Outcome], faults: &[String]) -> Value {
    let run = |outcome: &Outcome, run: &Run| {
        let reused: serde_json::Map<String, Value> =
            run.replay.counts.reused.iter().map(|(rung, n)| (rung.to_string(), json!(n))).collect();
        json!({
            "technique": run.technique.name(), "solver": run.solver, "calls": run.replay.counts.calls,
            "native": run.replay.counts.native, "reused": reused, "models_checked": run.replay.models_checked,
            "mean_us": mean(run), "median_us": median(run), "total_ms": total(run).as_secs_f64() * 1e3,
            "of_stack": ratio(outcome, run),
        })
    };
    let streams: Vec<Value> = outcomes
        .iter()
        .map(|o| {
            let verdicts: Vec<&str> =
                o.runs.first().map_or(Vec::new(), |r| r.replay.verdicts.iter().map(|v| v.name()).collect());
            json!({
                "stream": o.name, "queries": verdicts.len(), "sat": o.count(Verdict::Sat),
                "unsat": o.count(Verdict::Unsat),
                "deepest": deepest(o), "runs": o.runs.iter().map(|r| run(o, r)).collect::<Vec<Value>>(),
            })
        })
        .collect();
    json!({ "streams": streams, "faults": faults })
}
