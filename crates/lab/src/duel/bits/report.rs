//! What a duel of the core has seen, as a table, as Markdown and as JSON.

use super::make::Family;
use super::rival::Rival;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

/// What was counted of one family.
#[derive(Clone, Copy, Default, Debug)]
pub struct Row {
    /// Conjunctions.
    pub queries: u64,
    /// Satisfiable ones; every model held.
    pub sat: u64,
    /// Unsatisfiable ones; every core was judged.
    pub unsat: u64,
    /// Not decided within the steps.
    pub effort: u64,
    /// Not decided because something is outside of the core.
    pub outside: u64,
    /// Microseconds of the slowest one.
    pub slowest_us: u64,
}

/// How a solver judged.
#[derive(Clone, Copy, Default, Debug)]
pub struct Judged {
    /// Conjunctions that it was asked.
    pub asked: u64,
    /// Those about which it says the same.
    pub agreed: u64,
    /// Those about which it says nothing.
    pub gave_up: u64,
    /// Those about which it says something else, and both other solvers agree with the core.
    pub overruled: u64,
}

/// Everything that was counted.
#[derive(Clone, Default, Debug)]
pub struct Tally {
    /// By family.
    pub rows: BTreeMap<Family, Row>,
    /// By the layer that decided, and the verdict.
    pub layers: BTreeMap<(&'static str, &'static str), u64>,
    /// By solver.
    pub rivals: BTreeMap<Rival, Judged>,
    /// What a solver says alone against all others, as scripts.
    pub overruled: Vec<String>,
    /// Cores that were tried under all assignments.
    pub enumerated: u64,
    /// Cores with a certificate that the checker accepts.
    pub certified: u64,
    /// Cores without one.
    pub uncertified: u64,
    /// What was outside of the core, in its words.
    pub outside: BTreeMap<String, u64>,
    /// For each function: conjunctions that have it, and those of them that took too many steps.
    pub operators: BTreeMap<&'static str, (u64, u64)>,
}

impl Tally {
    /// Adds another.
    pub fn add(&mut self, other: &Tally) {
        for (family, row) in &other.rows {
            let sum = self.rows.entry(*family).or_default();
            *sum = added(sum, row);
        }
        for (key, count) in &other.layers {
            *self.layers.entry(*key).or_default() += count;
        }
        for (rival, judged) in &other.rivals {
            let sum = self.rivals.entry(*rival).or_default();
            sum.asked += judged.asked;
            sum.agreed += judged.agreed;
            sum.gave_up += judged.gave_up;
            sum.overruled += judged.overruled;
        }
        self.overruled.extend(other.overruled.iter().cloned());
        self.enumerated += other.enumerated;
        self.certified += other.certified;
        self.uncertified += other.uncertified;
        for (what, count) in &other.outside {
            *self.outside.entry(what.clone()).or_default() += count;
        }
        for (name, counts) in &other.operators {
            let sum = self.operators.entry(name).or_default();
            sum.0 += counts.0;
            sum.1 += counts.1;
        }
    }

    /// All families together.
    pub fn all(&self) -> Row {
        self.rows.values().fold(Row::default(), |sum, row| added(&sum, row))
    }

    fn table(&self) -> Vec<(&'static str, Row)> {
        let mut rows: Vec<(&'static str, Row)> = self.rows.iter().map(|(f, r)| (f.name(), *r)).collect();
        rows.push(("all", self.all()));
        rows
    }
}

fn added(a: &Row, b: &Row) -> Row {
    Row {
        queries: a.queries + b.queries,
        sat: a.sat + b.sat,
        unsat: a.unsat + b.unsat,
        effort: a.effort + b.effort,
        outside: a.outside + b.outside,
        slowest_us: a.slowest_us.max(b.slowest_us),
    }
}

/// What a run found.
#[derive(Clone, Debug)]
pub struct Report {
    /// The seed.
    pub seed: u64,
    /// Everything that was counted.
    pub tally: Tally,
    /// How long it took.
    pub elapsed: Duration,
    /// Differences, described.
    pub differences: Vec<String>,
    /// Whether a signal ended it.
    pub interrupted: bool,
}

const HEAD: [&str; 6] = ["conjunctions", "sat", "unsat", "effort", "outside", "slowest, ms"];

fn cells(row: &Row) -> [u64; 6] {
    [row.queries, row.sat, row.unsat, row.effort, row.outside, row.slowest_us.div_ceil(1000)]
}

impl Report {
    fn head(&self) -> String {
        let all = self.tally.all();
        let seconds = self.elapsed.as_secs_f64();
        format!(
            "seed {}: {} conjunctions in {seconds:.1} s, {} cores tried under all assignments, {} \
             differences{}",
            self.seed,
            all.queries,
            self.tally.enumerated,
            self.differences.len(),
            if self.interrupted { "; interrupted" } else { "" },
        )
    }

    /// Tables for a terminal.
    pub fn text(&self) -> String {
        let mut out = format!("{}\n\n{:<12}", self.head(), "");
        out.extend(HEAD.iter().map(|h| format!("{h:>14}")));
        for (name, row) in self.tally.table() {
            let _ = write!(out, "\n{name:<12}");
            out.extend(cells(&row).iter().map(|n| format!("{n:>14}")));
        }
        let _ = write!(
            out,
            "\n\n{:<12}{:>14}{:>14}{:>14}{:>14}",
            "solver", "asked", "agrees", "gave up", "overruled"
        );
        for (rival, judged) in &self.tally.rivals {
            let Judged { asked, agreed, gave_up, overruled } = judged;
            let _ = write!(out, "\n{:<12}{asked:>14}{agreed:>14}{gave_up:>14}{overruled:>14}", rival.name());
        }
        let Tally { certified, uncertified, .. } = &self.tally;
        let _ = write!(out, "\n\ncertificates: {certified} cores proved and checked, {uncertified} without");
        out.push_str("\n\nlayers:");
        for ((layer, verdict), count) in &self.tally.layers {
            let _ = write!(out, " {layer} {verdict} {count},");
        }
        out.push_str("\nsteps exceeded, of the conjunctions with:");
        for (name, (all, gave_up)) in self.tally.operators.iter().filter(|(_, counts)| counts.1 > 0) {
            let _ = write!(out, " {name} {gave_up}/{all},");
        }
        for (what, count) in &self.tally.outside {
            let _ = write!(out, "\noutside {count} times: {what}");
        }
        for script in &self.tally.overruled {
            let _ = write!(out, "\na solver alone against the core and the others:\n{script}");
        }
        out.push('\n');
        out
    }

    /// Tables for a document.
    pub fn markdown(&self) -> String {
        let mut out = format!("{}\n\n| | {} |\n|---|{}", self.head(), HEAD.join(" | "), "--:|".repeat(6));
        for (name, row) in self.tally.table() {
            let row: Vec<String> = cells(&row).iter().map(u64::to_string).collect();
            let _ = write!(out, "\n| {name} | {} |", row.join(" | "));
        }
        out.push_str("\n\n| solver | asked | agrees | gave up | overruled |\n|---|--:|--:|--:|--:|");
        for (rival, Judged { asked, agreed, gave_up, overruled }) in &self.tally.rivals {
            let _ = write!(out, "\n| {} | {asked} | {agreed} | {gave_up} | {overruled} |", rival.name());
        }
        out.push_str("\n\n| with | conjunctions | steps exceeded |\n|---|--:|--:|");
        for (name, (all, gave_up)) in self.tally.operators.iter().filter(|(_, counts)| counts.1 > 0) {
            let _ = write!(out, "\n| `{name}` | {all} | {gave_up} |");
        }
        out.push('\n');
        out
    }

    /// One object.
    pub fn json(&self) -> Value {
        let row = |name: &str, r: &Row| {
            json!({
                "family": name, "queries": r.queries, "sat": r.sat, "unsat": r.unsat, "effort": r.effort,
                "outside": r.outside, "slowest_us": r.slowest_us,
            })
        };
        let layers: Vec<Value> = self
            .tally
            .layers
            .iter()
            .map(|((layer, verdict), count)| json!({"layer": layer, "verdict": verdict, "queries": count}))
            .collect();
        let rivals: Vec<Value> = self
            .tally
            .rivals
            .iter()
            .map(|(rival, j)| {
                json!({
                    "solver": rival.name(), "asked": j.asked, "agreed": j.agreed, "gave_up": j.gave_up,
                    "overruled": j.overruled,
                })
            })
            .collect();
        json!({
            "seed": self.seed,
            "seconds": self.elapsed.as_secs_f64(),
            "rows": self.tally.table().iter().map(|(name, r)| row(name, r)).collect::<Vec<_>>(),
            "layers": layers,
            "rivals": rivals,
            "overruled": self.tally.overruled,
            "enumerated": self.tally.enumerated,
            "certified": self.tally.certified,
            "uncertified": self.tally.uncertified,
            "outside": self.tally.outside,
            "operators": self.tally.operators.iter().map(|(name, (all, gave_up))| {
                json!({"name": name, "queries": all, "effort": gave_up})
            }).collect::<Vec<_>>(),
            "differences": self.differences,
            "interrupted": self.interrupted,
        })
    }
}
