//! A run as events, one JSON object a line. The names of fields are the same in every language.

use super::chances::Chances;
use super::{Again, RunEnd, line, suite};
use crate::exploration::EntryOf;
use crate::{
    Beyond, BySeverity, Divergence, Entry, EntryEnd, Explored, Finding, Frontend, Language, PathEnd, Run,
    Sink, Stop, TestId, Within,
};
use evergreen::{Answered, AnsweredBy, SettlingStats};
use evergreen_explore::Place;
use evergreen_suite::Format;
use serde_json::{Map, Value, json};
use std::io::Write;

/// Writes a run as lines of JSON, while it goes on.
pub struct JsonLines<L: Language, W> {
    out: W,
    again: Again<L>,
    chances: Chances,
}

impl<L: Language, W: Write> JsonLines<L, W> {
    /// To this writer, which gets every line by one call; `again` reproduces findings.
    pub fn new(out: W, again: Again<L>) -> JsonLines<L, W> {
        JsonLines { out, again, chances: Chances::default() }
    }

    fn line(&mut self, event: &Value) -> Result<(), String> {
        self.out.write_all(format!("{event}\n").as_bytes()).map_err(trouble)
    }

    /// A test did not do what its path did.
    ///
    /// # Errors
    /// The writer takes no more.
    pub fn divergence(&mut self, diverged: &Divergence<L>) -> Result<(), String> {
        self.line(&divergence(diverged))
    }

    /// Writes what the run came to; the writer.
    ///
    /// # Errors
    /// The writer takes no more.
    pub fn finish(mut self, end: &RunEnd<'_, L>) -> Result<W, String> {
        self.line(&summary(end))?;
        Ok(self.out)
    }
}

fn trouble(e: std::io::Error) -> String {
    format!("the report: {e}")
}

impl<F: Frontend, W: Write> Sink<F> for JsonLines<F::Language, W> {
    fn begins(&mut self, _: &EntryOf<F>) -> Result<(), String> {
        self.chances = Chances::default();
        Ok(())
    }

    fn failed(&mut self, entry: &EntryOf<F>, why: &str) -> Result<(), String> {
        self.line(&failed(entry, why))
    }

    fn path(
        &mut self,
        entry: &EntryOf<F>,
        path: &PathEnd<F::Language>,
        _: Option<(TestId, &<F::Language as Format>::Case)>,
    ) -> Result<(), String> {
        self.chances.path(path);
        let mut text = Vec::new();
        line::write(&mut text, entry, path).and_then(|()| self.out.write_all(&text)).map_err(trouble)
    }

    fn found_all(&mut self, run: &mut Run<'_, F>) {
        self.chances.found_all(run);
    }

    fn ends(&mut self, entry: &EntryOf<F>, end: &EntryEnd<'_, F::Language>) -> Result<(), String> {
        for found in end.findings {
            let again = self.again.of(entry, found);
            self.line(&finding(entry, found, again.as_deref()))?;
        }
        for other in end.noted {
            let again = self.again.of(entry, other);
            self.line(&noted(entry, other, again.as_deref()))?;
        }
        if let Some(event) = self.chances.event(end.within) {
            self.line(&event)?;
        }
        if end.done.is_empty() {
            self.line(&empty(entry, &end.within.nothing_fits()))?;
        }
        Ok(())
    }
}

fn inputs<L: Language>(all: &[(String, L::Value)]) -> Value {
    Value::Object(all.iter().map(|(name, value)| (name.clone(), L::json(value))).collect())
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

/// A failure that was looked for.
pub fn finding<L: Language>(entry: &L::Entry, finding: &Finding<L>, again: Option<&str>) -> Value {
    failure("finding", entry, finding, again)
}

/// A failure that was not looked for.
pub fn noted<L: Language>(entry: &L::Entry, noted: &Finding<L>, again: Option<&str>) -> Value {
    failure("noted", entry, noted, again)
}

fn failure<L: Language>(event: &str, entry: &L::Entry, finding: &Finding<L>, again: Option<&str>) -> Value {
    json!({
        "event": event,
        "severity": finding.severity().name(),
        "method": entry.to_string(),
        "what": L::kind(finding.class()),
        "exception": finding.class(),
        "message": finding.message(),
        "place": place(finding.place()),
        "inputs": inputs::<L>(&finding.end.inputs),
        "objects": finding.end.beyond.json(),
        "conditions": finding.end.conditions,
        "lines": lines(&finding.end.stops),
        "path": finding.end.number,
        "paths": finding.paths,
        "again": again,
    })
}

/// A test that did not do what its path did.
pub fn divergence<L: Language>(divergence: &Divergence<L>) -> Value {
    json!({
        "event": "divergence",
        "test": L::called(&divergence.case),
        "inputs": inputs::<L>(&L::called_with(&divergence.case)),
        "what": divergence.what,
    })
}

/// An entry that could not be explored.
pub fn failed(entry: &impl Entry, why: &str) -> Value {
    json!({ "event": "failed", "method": entry.to_string(), "why": why })
}

/// An entry without a path.
pub fn empty(entry: &impl Entry, why: &str) -> Value {
    json!({ "event": "empty", "method": entry.to_string(), "why": why })
}

/// The summary.
pub fn summary<L: Language>(end: &RunEnd<'_, L>) -> Value {
    let totals = end.totals;
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
        "sampled": totals.sampled,
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
        "severities": by_severity(&totals.found),
        "noted": by_severity(&totals.noted),
        "unsupported": totals.unsupported,
        "missing": totals.missing,
        "invalid": totals.invalid,
        "refused": totals.refused,
        "doubtful": totals.doubtful,
        "disagrees": totals.disagrees,
        "suite": end.suite.map(|update| suite::json(update, totals)),
        "cut": totals.cut,
        "arms": { "taken": totals.arms.0, "offered": totals.arms.1 },
        "replayed": totals.replayed,
        "divergences": totals.divergences,
        "wrong_models": totals.wrong_models,
        "reasons": totals.reasons,
        "forks": totals.forks,
        "instructions": totals.instructions,
        "deepest": totals.deepest,
        "time_ms": totals.elapsed.as_secs_f64() * 1e3,
    });
    all["fixings"] = json!(totals.fixings);
    all["chosen"] = json!({ "tests": totals.chosen, "paths": totals.chosen_paths });
    all["complete"] = json!(totals.explored() == Explored::All);
    all["explored"] = json!(totals.explored().name());
    all["bounds"] = bounds(&totals.within);
    all["within"] = json!(totals.within.words());
    all["empty"] = json!(totals.empty);
    all["merged"] = json!(totals.merged);
    all["walks"] = json!(totals.walks);
    all["not_begun"] = json!(totals.not_begun);
    all["stopped"] = json!(totals.stopped);
    all["partial"] = json!(totals.within.is_partial());
    for (name, value) in L::counted(totals).fields.into_iter().chain(end.more.fields.clone()) {
        all[name] = value;
    }
    all
}

/// How many failures there are of each severity.
fn by_severity(all: &BySeverity) -> Value {
    Value::Object(all.iter().map(|(severity, count)| (severity.name().to_string(), json!(count))).collect())
}

/// Each bound that was met and how often; an empty object means that all inputs were explored.
pub fn bounds(within: &impl Within) -> Value {
    let met = within.met().into_iter().map(|(name, paths)| (name.to_string(), json!(paths)));
    Value::Object(met.collect::<Map<String, Value>>())
}

/// Questions by source of the answer.
fn answered(all: &Answered) -> Value {
    // An exploration counts no solutions here, only inputs that are octets have sets of values, and values
    // are tried where there is no answer.
    let is_rare = |by: AnsweredBy| matches!(by, AnsweredBy::Counter | AnsweredBy::Sets | AnsweredBy::Tried);
    let shown = all.iter().filter(|(by, count)| !is_rare(*by) || *count > 0);
    Value::Object(shown.map(|(by, count)| (by.name().to_string(), json!(count))).collect())
}

/// How values were settled.
pub fn settling(stats: &SettlingStats) -> Value {
    let SettlingStats { moved, native, tried, stored, solver } = stats;
    json!({ "moved": moved, "native": native, "tried": tried, "stored": stored, "solver": solver })
}
