//! What a duel has seen, as a table, as Markdown and as JSON.

use super::judge::Seen;
use super::lane::Solver;
use super::theory::Theory;
use evergreen::Rung;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

/// How the product was asked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Way {
    /// `evergreen solve` processes.
    Script,
    /// The library's paths.
    Path,
}

/// What is counted apart.
pub type Row = (Theory, Way, Solver, &'static str);

/// Everything that was counted.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// By theory, way, solver and level.
    pub rows: BTreeMap<Row, Seen>,
    /// Hits of each rung, by way and level.
    pub rungs: BTreeMap<(Way, &'static str), [u64; Rung::ALL.len()]>,
    /// Questions that reached a solver.
    pub solved: u64,
    /// Jobs that were finished.
    pub jobs: u64,
    /// Jobs that a bare solver broke off, with the first reason.
    pub broken_off: Vec<String>,
    /// Product processes that were started and ended.
    pub processes: u64,
    /// Differences.
    pub differences: u64,
}

impl Tally {
    /// Adds another.
    pub fn add(&mut self, other: &Tally) {
        for (row, seen) in &other.rows {
            self.rows.entry(*row).or_default().add(seen);
        }
        for (key, hits) in &other.rungs {
            let sum = self.rungs.entry(*key).or_default();
            sum.iter_mut().zip(hits).for_each(|(s, h)| *s += h);
        }
        self.solved += other.solved;
        self.jobs += other.jobs;
        self.broken_off.extend(other.broken_off.iter().cloned());
        self.processes += other.processes;
        self.differences += other.differences;
    }

    /// All rows together.
    pub fn all(&self) -> Seen {
        self.sum(|_| true)
    }

    fn sum(&self, which: impl Fn(&Row) -> bool) -> Seen {
        let mut sum = Seen::default();
        self.rows.iter().filter(|(row, _)| which(row)).for_each(|(_, seen)| sum.add(seen));
        sum
    }

    /// Hits of a rung.
    pub fn hits(&self, rung: Rung) -> u64 {
        self.rungs.values().map(|hits| hits[rung as usize]).sum()
    }

    /// Rungs that never fired, of those that are used beside a solver.
    pub fn silent(&self) -> Vec<&'static str> {
        let beside = Rung::ALL.into_iter().filter(|rung| *rung != Rung::Cases);
        beside.filter(|&r| self.hits(r) == 0).map(Rung::name).collect()
    }

    /// The rows of the first table: one per theory, solver, level and way, and their sum.
    fn counts(&self) -> Vec<(String, String, Seen)> {
        let mut rows = Vec::new();
        let mut push = |kind: &str, name: &str, seen: Seen| {
            if seen.checks > 0 {
                rows.push((kind.to_string(), name.to_string(), seen));
            }
        };
        for theory in Theory::ALL {
            push("theory", theory.name(), self.sum(|r| r.0 == theory));
        }
        for solver in Solver::ALL {
            push("solver", solver.name(), self.sum(|r| r.2 == solver));
        }
        for level in super::lane::LEVELS {
            push("level", level, self.sum(|r| r.3 == level));
        }
        push("asked by", "scripts", self.sum(|r| r.1 == Way::Script));
        push("asked by", "paths", self.sum(|r| r.1 == Way::Path));
        push("", "all", self.all());
        rows
    }

    fn levels(&self) -> Vec<(String, [u64; Rung::ALL.len()])> {
        let way = |way: Way| if way == Way::Script { "scripts" } else { "paths" };
        let mut rows: Vec<(String, [u64; Rung::ALL.len()])> =
            self.rungs.iter().map(|((w, level), hits)| (format!("{}, {level}", way(*w)), *hits)).collect();
        rows.push(("all".into(), Rung::ALL.map(|r| self.hits(r))));
        rows
    }
}

/// What a run was asked for and what it found.
#[derive(Clone, Debug)]
pub struct Report {
    /// The seed.
    pub seed: u64,
    /// Everything that was counted.
    pub tally: Tally,
    /// How long it took.
    pub elapsed: Duration,
    /// Differences, as they are printed.
    pub differences: Vec<String>,
    /// Whether it was interrupted.
    pub interrupted: bool,
}

const HEAD: [&str; 11] = [
    "",
    "checks",
    "sat",
    "unsat",
    "bare unknown",
    "unknown",
    "values",
    "models",
    "cores",
    "undecided",
    "job s",
];

fn cells(seen: &Seen) -> [u64; 10] {
    [
        seen.checks,
        seen.sat,
        seen.unsat,
        seen.bare_unknown,
        seen.unknown,
        seen.values,
        seen.models,
        seen.cores,
        seen.undecided,
        seen.millis.div_ceil(1000),
    ]
}

/// A number with its thousands apart.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

impl Report {
    /// Checks per second.
    pub fn rate(&self) -> f64 {
        self.tally.all().checks as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    fn head(&self) -> String {
        let t = &self.tally;
        format!(
            "seed {}: {} checks in {:.1} s ({:.0} per second), {} jobs, {} processes, {} solver calls, {} \
             requests refused, {} jobs broken off, \
             {} differences{}",
            self.seed,
            grouped(t.all().checks),
            self.elapsed.as_secs_f64(),
            self.rate(),
            t.jobs,
            t.processes,
            grouped(t.solved),
            t.all().refusals(),
            t.broken_off.len(),
            t.differences,
            if self.interrupted { "; interrupted" } else { "" },
        )
    }

    /// Tables for a terminal.
    pub fn text(&self) -> String {
        let mut out = format!("{}\n\n", self.head());
        let _ =
            writeln!(out, "{:<20}{}", "", HEAD[1..].iter().map(|h| format!("{h:>13}")).collect::<String>());
        for (kind, name, seen) in self.tally.counts() {
            let row: String = cells(&seen).iter().map(|n| format!("{:>13}", grouped(*n))).collect();
            let _ = writeln!(out, "{:<20}{row}", format!("{kind} {name}").trim());
        }
        let names: String = Rung::ALL.iter().map(|r| format!("{:>11}", r.name())).collect();
        let _ = writeln!(out, "\n{:<20}{names}", "hits");
        for (name, hits) in self.tally.levels() {
            let row: String = hits.iter().map(|n| format!("{:>11}", grouped(*n))).collect();
            let _ = writeln!(out, "{name:<20}{row}");
        }
        for (text, count) in &self.tally.all().refused {
            let _ = writeln!(out, "refused {count} times: {text}");
        }
        if let Some(first) = self.tally.broken_off.first() {
            let _ = writeln!(out, "the first job that was broken off: {first}");
        }
        out
    }

    /// Tables for a document.
    pub fn markdown(&self) -> String {
        let mut out = format!("{}\n\n| | {} |\n|---|", self.head(), HEAD[1..].join(" | "));
        out.push_str(&"--:|".repeat(HEAD.len() - 1));
        for (kind, name, seen) in self.tally.counts() {
            let row: Vec<String> = cells(&seen).iter().map(|n| grouped(*n)).collect();
            let _ = write!(out, "\n| {} | {} |", format!("{kind} {name}").trim(), row.join(" | "));
        }
        let names = Rung::ALL.map(Rung::name).join(" | ");
        let _ = write!(out, "\n\n| hits | {names} |\n|---|{}", "--:|".repeat(Rung::ALL.len()));
        for (name, hits) in self.tally.levels() {
            let _ = write!(out, "\n| {name} | {} |", hits.map(grouped).join(" | "));
        }
        out.push('\n');
        out
    }

    /// One object.
    pub fn json(&self) -> Value {
        let seen = |s: &Seen| {
            json!({
                "checks": s.checks, "sat": s.sat, "unsat": s.unsat, "bare_unknown": s.bare_unknown,
                "unknown": s.unknown, "values": s.values, "models": s.models, "cores": s.cores,
                "undecided": s.undecided, "job_ms": s.millis, "refused": s.refusals(),
            })
        };
        let rows: Vec<Value> = self
            .tally
            .rows
            .iter()
            .map(|((theory, way, solver, level), counted)| {
                json!({
                    "theory": theory.name(),
                    "asked_by": if *way == Way::Script { "scripts" } else { "paths" },
                    "solver": solver.name(), "level": level, "counted": seen(counted),
                })
            })
            .collect();
        let hits: serde_json::Map<String, Value> =
            Rung::ALL.iter().map(|&r| (r.name().to_string(), json!(self.tally.hits(r)))).collect();
        json!({
            "seed": self.seed,
            "seconds": self.elapsed.as_secs_f64(),
            "per_second": self.rate(),
            "all": seen(&self.tally.all()),
            "rows": rows,
            "hits": hits,
            "silent": self.tally.silent(),
            "solved": self.tally.solved,
            "jobs": self.tally.jobs,
            "broken_off": self.tally.broken_off,
            "processes": self.tally.processes,
            "differences": self.differences,
            "interrupted": self.interrupted,
        })
    }
}
