//! Events as JSON lines.

use super::junit::Divergence;
use super::totals::{Explored, Totals};
use super::values;
use evergreen::{Answered, AnsweredBy, SettlingStats};
use evergreen_java::Finding;
use evergreen_java::Place;
use evergreen_java::replay::{ClassCoverage, Coverage, JavaValue, Share};
use evergreen_java::{MethodRef, Stop};
use serde_json::{Value, json};
use std::io::Write;

fn inputs(all: &[(String, JavaValue)]) -> Value {
    Value::Object(all.iter().map(|(name, value)| (name.clone(), values::json(value))).collect())
}

fn place(place: Option<&Place>) -> Value {
    place.map_or(Value::Null, |place| json!(place.to_string()))
}

fn lines(stops: &[Stop]) -> Value {
    let line = |stop: &Stop| {
        let file = stop.place.file.as_deref().unwrap_or(&stop.place.unit);
        json!({ "file": file, "line": stop.place.line, "arm": stop.arm })
    };
    Value::Array(stops.iter().map(line).collect())
}

/// What is wrong, in a few words.
pub fn what(finding: &Finding) -> &'static str {
    match finding.class() {
        "java.lang.AssertionError" => "assertion",
        "evergreen.CheckFailed" => "check",
        _ => "exception",
    }
}

/// A finding.
pub fn finding(method: &MethodRef, finding: &Finding, again: &str) -> Value {
    json!({
        "event": "finding",
        "method": method.to_string(),
        "what": what(finding),
        "exception": finding.class(),
        "message": finding.message(),
        "place": place(finding.place()),
        "inputs": inputs(&finding.end.inputs),
        "objects": values::objects(&finding.end.beyond.objects),
        "conditions": finding.end.conditions,
        "lines": lines(&finding.end.stops),
        "path": finding.end.number,
        "paths": finding.paths,
        "again": again,
    })
}

/// A test that the JVM took differently.
pub fn divergence(divergence: &Divergence) -> Value {
    json!({
        "event": "divergence",
        "test": divergence.test,
        "inputs": inputs(&divergence.inputs),
        "what": divergence.what,
    })
}

/// A method that could not be explored.
pub fn failed(method: &MethodRef, why: &str) -> Value {
    json!({ "event": "failed", "method": method.to_string(), "why": why })
}

/// A method without a path.
pub fn empty(method: &MethodRef, why: &str) -> Value {
    json!({ "event": "empty", "method": method.to_string(), "why": why })
}

/// The summary.
pub fn summary(totals: &Totals) -> Value {
    let mut all = json!({
        "event": "summary",
        "methods": totals.methods,
        "failed": totals.failed,
        "paths": totals.paths,
        "queries": totals.queries,
        "by_model": totals.by_model,
        "by_seed": totals.by_seed,
        "trusted": totals.trusted,
        "by_complement": totals.by_complement,
        "out_of_range": totals.out_of_range,
        "asked": totals.asked.total(),
        "infeasible": totals.infeasible,
        "undecided": totals.undecided,
        "solved": totals.asked.solved(),
        "reused": totals.asked.without_solver(),
        "answered": answered(&totals.asked),
        "solver_calls": totals.stats.solved,
        "settling": settling(&totals.settling()),
        "shrinking": {
            "asked": totals.shrinking.queries,
            "solved": totals.shrinking.answered.solved(),
            "reused": totals.shrinking.answered.without_solver(),
            "undecided": totals.shrinking.answered.open(),
            "answered": answered(&totals.shrinking.answered),
            "solver_calls": totals.shrinking.solved,
        },
        "solver_starts": totals.solver_starts,
        "findings": totals.findings,
        "unsupported": totals.unsupported,
        "invalid": totals.invalid,
        "doubtful": totals.doubtful,
        "disagrees": totals.disagrees,
        "heap": {
            "considered": totals.machine.lazy.considered,
            "pruned": totals.machine.lazy.pruned,
            "checks": totals.machine.lazy.checks,
            "given_up": totals.machine.lazy.given_up,
            "known": totals.machine.lazy.known,
            "scoped": totals.machine.lazy.scoped,
            "by_bounds": totals.machine.lazy.by_bounds,
            "by_labels": totals.machine.lazy.by_labels,
            "by_precondition": totals.machine.lazy.by_precondition,
            "by_feasibility": totals.machine.lazy.by_feasibility,
            "sat_calls": totals.machine.lazy.sat_calls,
            "tests": totals.graphs.0,
            "built_by_calls": totals.graphs.1,
        },
        "suite": totals.suite.as_ref().map(|update| update.json(totals)),
        "drawn": { "structures": totals.drawn.0, "left_out": totals.drawn.1 },
        "cut": totals.cut,
        "arms": { "taken": totals.arms.0, "offered": totals.arms.1 },
        "replayed": totals.replayed,
        "coverage": totals.coverage.as_ref().map(coverage),
        "divergences": totals.divergences,
        "wrong_models": totals.wrong_models,
        "reasons": totals.reasons,
        "forks": totals.forks,
        "instructions": totals.instructions,
        "deepest": totals.deepest,
        "time_ms": totals.elapsed.as_secs_f64() * 1e3,
    });
    all["complete"] = json!(totals.explored() == Explored::All);
    all["explored"] = json!(totals.explored().name());
    all["bounds"] = crate::within::json(&totals.within);
    all["within"] = json!(totals.within.words());
    all["empty"] = json!(totals.empty);
    all["not_begun"] = json!(totals.not_begun);
    all["partial"] = json!(totals.within.is_partial());
    all
}

/// Questions by source of the answer.
fn answered(all: &Answered) -> Value {
    // An exploration counts no solutions here, and a missing answer ends the run with an error.
    let shown = all.iter().filter(|(by, count)| *by != AnsweredBy::Counter || *count > 0);
    Value::Object(shown.map(|(by, count)| (by.name().to_string(), json!(count))).collect())
}

/// How values were settled.
pub fn settling(stats: &SettlingStats) -> Value {
    let SettlingStats { moved, native, tried, stored, solver } = stats;
    json!({ "moved": moved, "native": native, "tried": tried, "stored": stored, "solver": solver })
}

/// What the tests cover, in all and class by class.
fn coverage(all: &Coverage) -> Value {
    let share = |share: Share| json!({ "covered": share.covered, "total": share.total });
    let class = |class: &ClassCoverage| {
        let (lines, branches) = (share(class.lines), share(class.branches));
        json!({
            "class": class.class,
            "lines": lines,
            "branches": branches,
            "missed_lines": class.missed_lines,
        })
    };
    let classes: Vec<Value> = all.classes.iter().map(class).collect();
    json!({ "lines": share(all.lines()), "branches": share(all.branches()), "classes": classes })
}

/// Appends the summary to a file.
pub fn append(place: &str, totals: &Totals) -> Result<(), String> {
    let line = format!("{}\n", crate::say::shown_json(&summary(totals).to_string()));
    crate::stats::sink(place)?.write_all(line.as_bytes()).map_err(|e| format!("{place}: {e}"))
}
